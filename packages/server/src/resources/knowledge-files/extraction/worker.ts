/**
 * The thread that runs the parsers, with a limited heap, so that the main thread of the process stays free to watch it.
 * Started by `child.ts`.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { TextCollector } from './collector.ts';
import { NotTextError } from './decode.ts';
import { ExtractionError } from './errors.ts';
import type { ExtractionLimits } from './limits.ts';
import { type ExtractableMediaType, mediaTypes } from './media-types.ts';
import { isOutOfMemory } from './memory.ts';
import { type ExtractionJob, type ExtractionResponse, fileDescriptor } from './protocol.ts';

/** Reads the file into the collector. @returns the number of pages, or null */
type Extract = (
  file: number,
  limits: ExtractionLimits,
  into: TextCollector,
) => Promise<number> | number | null;

/** Loads the parser of one format only: loading PDF.js takes longer than reading most files. */
async function loadExtract(mediaType: ExtractableMediaType): Promise<Extract> {
  switch (mediaType) {
    case mediaTypes.pdf:
      return (await import('./pdf.ts')).extractPdf;
    case mediaTypes.docx: {
      const { extractDocx } = await import('./docx.ts');
      return (file, limits, into) => {
        extractDocx(file, limits, into);
        return null;
      };
    }
    default: {
      const read =
        mediaType === mediaTypes.html
          ? (await import('./html.ts')).extractHtml
          : (await import('./plain.ts')).extractPlain;
      return (file, _limits, into) => {
        read(file, into);
        return null;
      };
    }
  }
}

async function respond(extract: Extract, limits: ExtractionLimits): Promise<ExtractionResponse> {
  const into = new TextCollector(limits.characters);
  try {
    const text = into.finish(await extract(fileDescriptor, limits, into));
    return text.characters === 0 ? { reason: 'EMPTY', detail: null } : { text };
  } catch (error) {
    if (error instanceof ExtractionError) return { reason: error.reason, detail: error.detail };
    const detail = String(error);
    if (isOutOfMemory(error)) return { reason: 'MEMORY_LIMIT', detail };
    if (error instanceof NotTextError) return { reason: 'DAMAGED', detail };
    // Any other error of a parser was caused by the file.
    return { reason: 'DAMAGED', detail };
  }
}

if (parentPort === null) throw new Error('worker.ts is started by child.ts.');
const { mediaType, limits }: ExtractionJob = workerData;
const extract = await loadExtract(mediaType);
// After this message, errors are caused by the file and not by the installation.
parentPort.postMessage('loaded');
parentPort.postMessage(await respond(extract, limits));
