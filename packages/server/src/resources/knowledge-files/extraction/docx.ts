/**
 * Extracts the text of DOCX files, which are XML in a zip archive (ECMA-376). A kilobyte can unpack to a megabyte, so only
 * the parts with text are unpacked, in pieces that are counted and parsed as they come.
 */
import { Unzip, UnzipInflate } from 'fflate';
import { SaxesParser } from 'saxes';
import { TextCollector } from './collector.ts';
import { StrictDecoder } from './decode.ts';
import { ExtractionError } from './errors.ts';
import { readChunks, readWhole } from './file.ts';
import type { ExtractionLimits } from './limits.ts';
import { type ElementName, NameResolver } from './xml-names.ts';

/** The main part and the notes; some programs number them (`document2.xml`). */
const textPart = /^word\/(document|footnotes|endnotes)\d*\.xml$/;

/** The namespaces of ECMA-376, transitional and strict. */
const wordNamespaces = new Set([
  'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  'http://purl.oclc.org/ooxml/wordprocessingml/main',
]);

const compatibilityNamespace = 'http://schemas.openxmlformats.org/markup-compatibility/2006';

const compoundFileSignature = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

/** Text that replaces the start tag and the end tag of elements in the word namespace. */
const atBeginning: Readonly<Record<string, string>> = {
  tab: '\t',
  br: '\n',
  cr: '\n',
  noBreakHyphen: '\u2011',
};
const atEnd: Readonly<Record<string, string>> = { p: '\n' };

/** Elements with text that tracked changes have deleted or moved away. */
const removed = new Set(['del', 'moveFrom']);

/**
 * Reads the body of a document, then its notes.
 * @throws ExtractionError TOO_LARGE, TOO_DEEP, DAMAGED or ENCRYPTED
 */
export function extractDocx(file: number, limits: ExtractionLimits, into: TextCollector): void {
  refuseEncrypted(file);
  const parts = unzipTexts(file, limits);
  const document = parts.get('document');
  if (document === undefined) throw new ExtractionError('DAMAGED', 'The archive has no document.');
  for (const part of [document, parts.get('footnotes'), parts.get('endnotes')]) {
    if (part === undefined) continue;
    const { pages, truncated } = part.finish(null);
    into.add(`${pages.join('\n')}\n`);
    if (truncated) into.markTruncated();
  }
  into.endPage();
}

/** A document with a password is a compound file instead of a zip archive ([MS-OFFCRYPTO] section 2.3.4). */
function refuseEncrypted(file: number): void {
  const [start] = readChunks(file);
  if (start === undefined || !Buffer.from(start).subarray(0, 8).equals(compoundFileSignature)) return;
  const isEncrypted = Buffer.from(readWhole(file)).includes(Buffer.from('EncryptedPackage', 'utf16le'));
  throw new ExtractionError(isEncrypted ? 'ENCRYPTED' : 'DAMAGED', 'The file is a compound file.');
}

/** Extracts the text of each part separately, because an archive can have them in any order. */
function unzipTexts(file: number, limits: ExtractionLimits): Map<string, TextCollector> {
  const parts = new Map<string, TextCollector>();
  let unzippedBytes = 0;
  const unzip = new Unzip((entry) => {
    const kind = textPart.exec(entry.name)?.[1];
    if (kind === undefined || parts.has(kind)) return;
    const text = new TextCollector(limits.characters);
    const parser = makeParser(text);
    const decoder = new StrictDecoder();
    parts.set(kind, text);
    entry.ondata = (error, piece, isLast) => {
      if (error !== null) throw error;
      unzippedBytes += piece.length;
      if (unzippedBytes > limits.unzippedBytes) throw new ExtractionError('TOO_LARGE');
      if (!text.isFull) parser.write(decoder.decode(piece));
      if (!isLast) return;
      if (!text.isFull) parser.write(decoder.end()).close();
      text.endPage();
    };
    entry.start();
  });
  unzip.register(UnzipInflate);
  for (const chunk of readChunks(file)) unzip.push(chunk);
  unzip.push(new Uint8Array(), true);
  return parts;
}

function makeParser(text: TextCollector): SaxesParser<{ xmlns: false }> {
  // The parser's own resolution of namespaces searches all open elements for each name.
  const parser = new SaxesParser({ xmlns: false, position: false });
  const names = new NameResolver();
  let textDepth = 0;
  let skippedDepth = 0;
  const addText = (content: string) => {
    if (textDepth > 0 && skippedDepth === 0) text.add(content);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('opentag', ({ name, attributes }) => {
    const tag = names.open(name, attributes);
    if (isSkipped(tag)) skippedDepth += 1;
    if (!wordNamespaces.has(tag.namespace)) return;
    if (tag.local === 't') textDepth += 1;
    else if (skippedDepth === 0) text.add(atBeginning[tag.local] ?? '');
  });
  parser.on('closetag', () => {
    const tag = names.close();
    if (isSkipped(tag)) skippedDepth -= 1;
    if (!wordNamespaces.has(tag.namespace)) return;
    if (tag.local === 't') textDepth -= 1;
    else if (skippedDepth === 0) text.add(atEnd[tag.local] ?? '');
  });
  return parser;
}

/** Whether an element is removed text, or the fallback form of content that was read already, such as a text box. */
function isSkipped({ namespace, local }: ElementName): boolean {
  if (namespace === compatibilityNamespace) return local === 'Fallback';
  return wordNamespaces.has(namespace) && removed.has(local);
}
