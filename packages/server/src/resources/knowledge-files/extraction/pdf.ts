/**
 * Extracts the text of PDF files page by page, since search results name the page. A broken page does not affect the
 * others, and an extremely long one is not read to its end.
 */
import { getDocumentProxy } from 'unpdf';
import type { TextCollector } from './collector.ts';
import { ExtractionError } from './errors.ts';
import { readWhole } from './file.ts';
import type { ExtractionLimits } from './limits.ts';
import { isOutOfMemory } from './memory.ts';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;

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
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      for (const item of value.items) {
        if ('str' in item) into.add(item.hasEOL ? `${item.str}\n` : item.str);
      }
      if (into.isFull) {
        await reader.cancel(new Error('The collector is full.'));
        return;
      }
    }
  } finally {
    page.cleanup();
  }
}
