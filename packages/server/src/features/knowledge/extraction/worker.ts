/**
 * The thread that runs the parsers, with a limited heap, so that the main thread of the process stays free to watch it.
 * Started by `child.ts`.
 */
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { isPicture } from '@trellis/schema/values/pictures.ts';
import { TextCollector } from './collector.ts';
import { ExtractionError } from './errors.ts';
import { loadExtract } from './formats.ts';
import { textFormatOf } from './media-types.ts';
import { isOutOfMemory } from './memory.ts';
import { type ExtractionJob, type ExtractionResponse, fileDescriptor, wholePicture } from './protocol.ts';

/** What the process was started for. Its errors are those of the file. */
type Task = () => Promise<ExtractionResponse>;

/** Does the job, with the code of one format only: loading PDF.js takes longer than reading most files. */
async function loadTask({ mediaType, limits, rendition }: ExtractionJob): Promise<Task> {
  if (isPicture(mediaType)) {
    const { cleanPicture, readPicture, renderPicture } = await import('./picture.ts');
    if (rendition === null)
      return async () => ({ picture: await readPicture(fileDescriptor, mediaType, limits) });
    if (rendition === wholePicture)
      return async () => ({ made: await cleanPicture(fileDescriptor, mediaType, limits) });
    return async () => ({ made: await renderPicture(fileDescriptor, mediaType, limits, rendition) });
  }
  const format = textFormatOf(mediaType);
  if (format === null) throw new Error(`No text is extracted from ${mediaType}.`);
  const extract = await loadExtract(format);
  return async () => {
    const into = new TextCollector(limits.characters);
    return { text: into.finish(await extract(fileDescriptor, limits, into)) };
  };
}

async function respond(task: Task): Promise<ExtractionResponse> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof ExtractionError) return { reason: error.reason, detail: error.detail };
    const detail = String(error);
    if (isOutOfMemory(error)) return { reason: 'MEMORY_LIMIT', detail };
    // Any other error of a parser was caused by the file.
    return { reason: 'DAMAGED', detail };
  }
}

if (parentPort === null) throw new Error('worker.ts is started by child.ts.');
const task = await loadTask(workerData);
// After this message, errors are caused by the file and not by the installation. The response to it is that the task may begin.
const permission = once(parentPort, 'message');
parentPort.postMessage('loaded');
await permission;
parentPort.postMessage(await respond(task));
