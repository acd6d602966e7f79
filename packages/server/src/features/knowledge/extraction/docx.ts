/** Extracts the text of Word documents (ECMA-376): the body, then headers, footers, notes, comments, and text of charts and diagrams. */
import type { TextCollector } from './collector.ts';
import type { ExtractionLimits } from './limits.ts';
import { addDrawingText, compatibilityNamespace, findMainPart, openPackage } from './ooxml.ts';
import { readXml, type XmlHandler } from './xml.ts';
import type { ElementName } from './xml-names.ts';

/** The namespaces of ECMA-376, transitional and strict, and of formulas, whose text has an element of the same name. */
const wordNamespaces = new Set([
  'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  'http://purl.oclc.org/ooxml/wordprocessingml/main',
  'http://schemas.openxmlformats.org/officeDocument/2006/math',
  'http://purl.oclc.org/ooxml/officeDocument/math',
]);

/** Text that replaces the start tag and the end tag of elements in the word namespace. A text box stands within a paragraph. */
const atBeginning: ReadonlyMap<string, string> = new Map(
  Object.entries({
    tab: '\t',
    ptab: '\t',
    br: '\n',
    cr: '\n',
    noBreakHyphen: '-',
    txbxContent: '\n',
  }),
);
const atEnd: ReadonlyMap<string, string> = new Map(Object.entries({ p: '\n' }));

/** Text that tracked changes have deleted or moved away, and the reading above a word, which would divide it. */
const removed = new Set(['del', 'moveFrom', 'rt']);

/** The parts beside the main one, in the order in which their texts follow. Some programs number them. */
const furtherParts = ['header', 'footer', 'footnotes', 'endnotes', 'comments'].map(
  (name) => new RegExp(`^${name}\\d*\\.xml$`),
);
const drawingPart = /^(?:charts\/chart|diagrams\/data)\d*\.xml$/;

/**
 * Reads a document.
 * @throws ExtractionError TOO_LARGE, TOO_DEEP, DAMAGED or ENCRYPTED
 */
export async function extractDocx(
  file: number,
  limits: ExtractionLimits,
  into: TextCollector,
): Promise<null> {
  const archive = await openPackage(file, limits);
  const main = await findMainPart(archive, /^word\/document\d*\.xml$/);
  const folder = main.slice(0, main.lastIndexOf('/') + 1);
  const beside = Array.from(archive.names).filter((name) => name.startsWith(folder));
  const further = furtherParts.flatMap((part) =>
    beside.filter((name) => part.test(name.slice(folder.length))),
  );
  for (const part of [main, ...further]) {
    if (into.isFull) break;
    await readXml(archive.read(part), makeHandler(into), () => into.isFull);
    into.add('\n');
  }
  for (const part of beside.filter((name) => drawingPart.test(name.slice(folder.length)))) {
    if (into.isFull) break;
    await addDrawingText(archive, part, into);
  }
  into.endPage();
  return null;
}

function makeHandler(text: TextCollector): XmlHandler {
  let textDepth = 0;
  let skippedDepth = 0;
  return {
    open(tag) {
      if (isSkipped(tag)) skippedDepth += 1;
      if (!wordNamespaces.has(tag.namespace)) return;
      if (tag.local === 't') textDepth += 1;
      else if (skippedDepth === 0) text.add(atBeginning.get(tag.local) ?? '');
    },
    text(content) {
      if (textDepth > 0 && skippedDepth === 0) text.add(content);
    },
    close(tag) {
      if (isSkipped(tag)) skippedDepth -= 1;
      if (!wordNamespaces.has(tag.namespace)) return;
      if (tag.local === 't') textDepth -= 1;
      else if (skippedDepth === 0) text.add(atEnd.get(tag.local) ?? '');
    },
  };
}

/** Whether an element is removed text, or the fallback form of content that was read already, such as a text box. */
function isSkipped({ namespace, local }: ElementName): boolean {
  if (namespace === compatibilityNamespace) return local === 'Fallback';
  return wordNamespaces.has(namespace) && removed.has(local);
}
