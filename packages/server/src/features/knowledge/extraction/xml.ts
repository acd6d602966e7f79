/** Reads XML piece by piece, with names resolved to their namespaces. Entities that a document declares are not expanded but refused. */
import { SaxesParser } from 'saxes';
import { StrictDecoder } from './decode.ts';
import { type ElementName, NameResolver } from './xml-names.ts';

/** Attributes by their names as they are written, with prefixes. */
export type Attributes = Readonly<Record<string, string>>;

/** Receives tags and text in the order of the file. */
export interface XmlHandler {
  open(tag: ElementName, attributes: Attributes): void;
  text(text: string): void;
  close(tag: ElementName): void;
}

/** Ignores what a handler does not need. */
export const ignore = (): void => undefined;

/**
 * Reads a document of XML in UTF-8 or UTF-16.
 * @param isFull whether the rest is not wanted, asked after each piece
 * @returns whether it was read to its end
 * @throws ExtractionError TOO_DEEP
 * @throws Error when it is not well-formed, or in another encoding
 */
export async function readXml(
  pieces: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
  isFull: () => boolean = () => false,
): Promise<boolean> {
  // The parser's own resolution of namespaces searches all open elements for each name.
  const parser = new SaxesParser({ xmlns: false, position: false });
  const names = new NameResolver();
  const addText = (text: string) => handler.text(text);
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('opentag', ({ name, attributes }) => handler.open(names.open(name, attributes), attributes));
  parser.on('closetag', () => handler.close(names.close()));
  const decoder = new StrictDecoder();
  for await (const piece of pieces) {
    parser.write(decoder.decode(piece));
    if (isFull()) return false;
  }
  parser.write(decoder.end()).close();
  return true;
}

/** An attribute by its local name, whatever its prefix. */
export function attributeOf(attributes: Attributes, local: string): string | null {
  const name = Object.keys(attributes).find((each) => each === local || each.endsWith(`:${local}`));
  return name === undefined ? null : (attributes[name] ?? null);
}
