/** Why: what a path holds is seen from the path; whoever imports need not say it. */
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { UsageError } from '../command-line.ts';
import type { Source } from './source.ts';
import { isMarkdown, openMarkdown } from './source-markdown.ts';

/** Opens a folder or a file. @throws UsageError when it is absent or of no known kind */
export async function openSource(path: string): Promise<Source> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new UsageError(`There is no file or folder ${path}.`);
    throw new UsageError(`${path} cannot be read: ${error.message}`);
  });
  if (found.isDirectory() || isMarkdown(path)) return openMarkdown(path, found.isDirectory());
  throw new UsageError(
    `${path} is ${extname(path) === '' ? 'not a folder' : `a file of the kind "${extname(path)}"`}. ` +
      'What can be imported is a folder of Markdown files, or one Markdown file (.md, .markdown).',
  );
}
