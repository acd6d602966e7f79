/**
 * Extracts the text of PDF files page by page, with what is filled into forms and written in notes, since search results name the page. A broken
 * page does not affect the others, and an extremely long one is not read to its end.
 */
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import type { TextCollector } from './collector.ts';
import { ExtractionError } from './errors.ts';
import { readWhole } from './file.ts';
import type { ExtractionLimits } from './limits.ts';
import { isOutOfMemory } from './memory.ts';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;

// Otherwise it would be loaded with the first file, when the process may no longer read its own code.
await getResolvedPDFJS();

/**
 * Reads the pages of a PDF until a limit is reached.
 *
 * @returns the number of pages according to the document
 * @throws ExtractionError ENCRYPTED or DAMAGED
 */
export async function extractPdf(
  file: number,
  limits: ExtractionLimits,
  into: TextCollector,
): Promise<number> {
  const pdf = await openDocument(readWhole(file));
  const wantedPages = Math.min(pdf.numPages, limits.pages);
  let readPages = 0;
  for (let number = 1; number <= wantedPages && !into.isFull; number += 1) {
    try {
      await readPage(await pdf.getPage(number), into);
      readPages += 1;
    } catch (error) {
      if (isOutOfMemory(error)) throw error;
      into.markTruncated();
    }
    into.endPage();
  }
  if (readPages === 0) throw new ExtractionError('DAMAGED', 'No page could be read.');
  if (wantedPages < pdf.numPages) into.markTruncated();
  return pdf.numPages;
}

async function openDocument(bytes: Uint8Array): Promise<PdfDocument> {
  try {
    return await getDocumentProxy(bytes, {
      verbosity: 0,
      // Nothing is rendered, so no fonts are prepared or looked up on this machine.
      disableFontFace: true,
      useSystemFonts: false,
      isOffscreenCanvasSupported: false,
      isImageDecoderSupported: false,
      useWasm: false,
    });
  } catch (error) {
    if (isOutOfMemory(error)) throw error;
    throw new ExtractionError(isAboutEncryption(error) ? 'ENCRYPTED' : 'DAMAGED', String(error));
  }
}

/** Whether the file needs a password, or is encrypted in a way that PDF.js does not support. */
function isAboutEncryption(error: unknown): boolean {
  return error instanceof Error && (error.name === 'PasswordException' || /encrypt/i.test(error.message));
}

async function readPage(page: PdfPage, into: TextCollector): Promise<void> {
  const reader = page.streamTextContent().getReader();
  const parts: string[] = [];
  let units = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      for (const item of value.items) {
        if (!('str' in item)) continue;
        parts.push(item.hasEOL ? `${item.str}\n` : item.str);
        units += item.str.length + 1;
      }
      if (units > into.roomUnits) {
        await reader.cancel(new Error('The collector is full.'));
        break;
      }
    }
    into.add(joinDividedWords(parts.join('')));
    const annotations: readonly Annotation[] = await page.getAnnotations();
    for (const annotation of annotations) for (const text of textsOf(annotation)) into.add(`\n${text}`);
  } finally {
    page.cleanup();
  }
}

/** A hyphen between letters at the end of a line. */
const divided = /(?<=\p{L})([-\u2010\u00ad])[ \t]*\n[ \t]*(?=\p{Ll})/gu;

/** Words before which a hyphen stands for the rest of a word: `Haupt- und Nebensatz`. */
const conjunction = /^(?:und|oder|bzw|bis|sowie|and|or|et|ou|y|o|e|en|of|och|og)(?!\p{L})/u;

/** Joins words that are divided at the end of a line. */
function joinDividedWords(text: string): string {
  return text.replace(divided, (found: string, hyphen: string, offset: number) => {
    const next = text.slice(offset + found.length, offset + found.length + 10);
    return hyphen !== '\u00ad' && conjunction.test(next) ? `${hyphen} ` : '';
  });
}

/** What is used of an annotation (PDF.js); anything may be missing. */
interface Annotation {
  readonly subtype?: string;
  readonly fieldType?: string;
  readonly fieldValue?: unknown;
  readonly password?: boolean;
  readonly options?: readonly { readonly exportValue: string; readonly displayValue: string }[];
  readonly contentsObj?: { readonly str?: string };
}

/** The value of a field of a form, or the text of a note. Buttons and passwords have none. */
function textsOf({ subtype, fieldType, fieldValue, password, options, contentsObj }: Annotation): string[] {
  if (subtype !== 'Widget') return subtype === 'Link' ? [] : [contentsObj?.str ?? ''];
  if (password === true || (fieldType !== 'Tx' && fieldType !== 'Ch')) return [];
  const values: readonly unknown[] = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
  const shown = new Map((options ?? []).map(({ exportValue, displayValue }) => [exportValue, displayValue]));
  return values.flatMap((value) => (typeof value === 'string' ? (shown.get(value) ?? value) : []));
}
