/** The contents that a test server opens in its store of files. */
import type { Readable } from 'node:stream';
import type { TestServer } from './server.ts';

/** Notes the contents that are opened from now on. @returns them, and what ends it */
export function noteOpenedContents({ objects }: TestServer): {
  readonly contents: readonly Readable[];
  end(): void;
} {
  const open = objects.open.bind(objects);
  const contents: Readable[] = [];
  objects.open = async (...given) => {
    const content = await open(...given);
    contents.push(content);
    return content;
  };
  return {
    contents,
    end: () => {
      objects.open = open;
    },
  };
}
