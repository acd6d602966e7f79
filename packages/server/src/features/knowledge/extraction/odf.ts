/** Extracts the text of OpenDocument files (OASIS, ODF 1.3): texts, sheets, slides and drawings, with notes, comments, headers and footers. */
import type { TextCollector } from './collector.ts';
import { ExtractionError } from './errors.ts';
import type { ExtractionLimits } from './limits.ts';
import { attributeOf, ignore, readXml, type XmlHandler } from './xml.ts';
import type { ElementName } from './xml-names.ts';
import { ZipArchive } from './zip.ts';

/** Elements whose text is not shown: tracked deletions, the reading above a word, and numbers of notes. */
const hidden = new Set(['tracked-changes', 'ruby-text', 'note-citation', 'sender-initials']);

/** Who wrote a comment, and when. */
const metadataNamespace = 'http://purl.org/dc/elements/1.1/';

/** Elements that stand within a paragraph and would divide it. Their text follows at the end of the page. */
const aside = new Set(['note', 'annotation']);

const paragraphs = new Set(['p', 'h']);
const cells = new Set(['table-cell', 'covered-table-cell']);
/** Spaces of one element; a file can state any number. */
const spaces = 1_000;

/** How many spaces an element stands for. @param count as written; one without it, and where it is no number of spaces */
function countSpaces(count: string | null): number {
  return Math.max(1, Math.min(spaces, Number(count) || 1));
}

/**
 * Reads a document. A slide is a page.
 * @returns the number of slides; null for other documents
 * @throws ExtractionError TOO_LARGE, TOO_DEEP, DAMAGED or ENCRYPTED
 */
export async function extractOdf(
  file: number,
  limits: ExtractionLimits,
  into: TextCollector,
): Promise<number | null> {
  const archive = await ZipArchive.open(file, limits.unzippedBytes);
  await refuseEncrypted(archive);
  let slides = 0;
  const asides: string[] = [];
  const endPage = () => {
    for (const text of asides.splice(0)) into.add(text);
    if (slides <= limits.pages) into.endPage();
    else into.markTruncated();
  };
  const isFull = () => into.isFull || slides > limits.pages;
  const handler = makeHandler(into, asides, (isSlide) => {
    if (isSlide) slides += 1;
    if (isSlide) endPage();
  });
  await readXml(archive.read('content.xml'), handler, isFull);
  if (slides > 0) return slides;
  if (archive.has('styles.xml') && !into.isFull)
    await readXml(archive.read('styles.xml'), makeHeaderHandler(into, asides), isFull);
  endPage();
  return null;
}

/** The manifest lists how each file is encrypted (ODF 1.3, part 2, 4.8). */
async function refuseEncrypted(archive: ZipArchive): Promise<void> {
  if (!archive.has('META-INF/manifest.xml')) return;
  await readXml(archive.read('META-INF/manifest.xml'), {
    open({ local }) {
      if (local === 'encryption-data')
        throw new ExtractionError('ENCRYPTED', 'The manifest names an encryption.');
    },
    text: ignore,
    close: ignore,
  });
}

function makeHandler(into: TextCollector, asides: string[], endPart: (isSlide: boolean) => void): XmlHandler {
  let [paragraphDepth, hiddenDepth, asideDepth, cellDepth] = [0, 0, 0, 0];
  let document = '';
  let [hasRowText, hasCellText] = [false, false];
  const isHidden = ({ namespace, local }: ElementName) =>
    hidden.has(local) || namespace === metadataNamespace;
  const add = (text: string) => {
    if (hiddenDepth > 0 || text === '') return;
    if (asideDepth > 0) asides.push(text);
    else into.add(text);
  };
  const addText = (text: string) => {
    if (cellDepth > 0 && !hasCellText && hasRowText) add('\t');
    hasCellText = true;
    hasRowText = true;
    add(text);
  };
  return {
    open(tag, attributes) {
      const { local } = tag;
      if (isHidden(tag)) hiddenDepth += 1;
      else if (aside.has(local)) asideDepth += 1;
      else if (paragraphs.has(local)) {
        paragraphDepth += 1;
        if (cellDepth > 0 && hasCellText) add(' ');
      } else if (local === 'presentation' || local === 'spreadsheet') document = local;
      else if (local === 'table-row') hasRowText = false;
      else if (cells.has(local)) {
        cellDepth += 1;
        hasCellText = false;
      } else if (local === 'table' && document === 'spreadsheet')
        add(`${attributeOf(attributes, 'name') ?? ''}\n`);
      else if (local === 'text-box' && paragraphDepth > 0) add('\n');
      else if (paragraphDepth === 0) return;
      else if (local === 'tab') add('\t');
      else if (local === 'line-break') add('\n');
      else if (local === 's') add(' '.repeat(countSpaces(attributeOf(attributes, 'c'))));
    },
    text(text) {
      if (paragraphDepth > 0 && hiddenDepth === 0) addText(text.replace(/[\t\n\r ]+/g, ' '));
    },
    close(tag) {
      const { local } = tag;
      if (isHidden(tag)) hiddenDepth -= 1;
      else if (aside.has(local)) asideDepth -= 1;
      else if (paragraphs.has(local)) {
        paragraphDepth -= 1;
        if (cellDepth === 0 || asideDepth > 0) add('\n');
      } else if (cells.has(local)) cellDepth -= 1;
      else if (local === 'table-row' && hasRowText) add('\n');
      else if (local === 'page') endPart(document === 'presentation');
    },
  };
}

/** Reads headers and footers only: a page's style also has text that stands for what the user will write. */
function makeHeaderHandler(into: TextCollector, asides: string[]): XmlHandler {
  const inner = makeHandler(into, asides, ignore);
  const isHeader = (local: string) => /^(?:header|footer)(?:-left|-first)?$/.test(local);
  let depth = 0;
  return {
    open(tag, attributes) {
      if (isHeader(tag.local)) depth += 1;
      if (depth > 0) inner.open(tag, attributes);
    },
    text(text) {
      if (depth > 0) inner.text(text);
    },
    close(tag) {
      if (depth > 0) inner.close(tag);
      if (isHeader(tag.local)) depth -= 1;
    },
  };
}
