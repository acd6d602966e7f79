/** Which code reads which format. Each is loaded when a file needs it: loading PDF.js takes longer than reading most files. */
import type { TextCollector } from './collector.ts';
import type { ExtractionLimits } from './limits.ts';
import type { TextFormat } from './media-types.ts';

/** Reads the file into the collector. @returns the number of pages, or null */
export type Extract = (
  file: number,
  limits: ExtractionLimits,
  into: TextCollector,
) => Promise<number | null> | null;

/** Loads the code that reads a format. */
export async function loadExtract(format: TextFormat): Promise<Extract> {
  switch (format) {
    case 'pdf':
      return (await import('./pdf.ts')).extractPdf;
    case 'docx':
      return (await import('./docx.ts')).extractDocx;
    case 'xlsx':
      return (await import('./xlsx.ts')).extractXlsx;
    case 'pptx':
      return (await import('./pptx.ts')).extractPptx;
    case 'odf':
      return (await import('./odf.ts')).extractOdf;
    case 'epub':
      return (await import('./epub.ts')).extractEpub;
    case 'rtf':
      return (await import('./rtf.ts')).extractRtf;
    case 'email':
      return (await import('./email.ts')).extractEmail;
    case 'html':
      return (await import('./html.ts')).extractHtml;
    default:
      return (await import('./plain.ts')).extractPlain;
  }
}
