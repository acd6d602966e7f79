/**
 * Runs the extraction process for one file. Parsers of untrusted files can loop forever, use all memory, or crash, so the
 * process has no environment, cannot open other files, and is ended after a timeout or when the result is no longer wanted.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type FileHandle, open, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { constants, getPriority, setPriority } from 'node:os';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isPicture, type PictureMediaType } from '@trellis/schema/values/pictures.ts';
import { ExtractionError } from './errors.ts';
import { cpuLimitOf, type ExtractionLimits } from './limits.ts';
import { isExtractable } from './media-types.ts';
import {
  type ExtractedText,
  type ExtractionJob,
  type ExtractionResponse,
  type MadePicture,
  maximumResponseBytes,
  type PictureSize,
  parseResponse,
  type Rendition,
  type wholePicture,
} from './protocol.ts';

const MAXIMUM_ERROR_OUTPUT_CHARACTERS = 4000;

const program = fileURLToPath(new URL('child.ts', import.meta.url));
const root = fileURLToPath(new URL('../../../../../../', import.meta.url));
/** The folders in which packages may be: in an installation of the published package, it lies in one of them. */
const packageFolders = (createRequire(import.meta.url).resolve.paths('sharp') ?? []).filter(
  (folder) => basename(folder) === 'node_modules' && existsSync(folder),
);

/** How the process ended, and what it wrote. */
interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: Buffer;
  readonly errorOutput: string;
  /** Why this module killed it; null when it did not. */
  readonly killed: 'abort' | 'time' | 'output' | null;
}

/**
 * Extracts the text of a file. Starts one process, which has ended when the promise settles. The caller decides how many
 * run at once; each may use `limits.memoryMegabytes`.
 *
 * @param mediaType as `sniffMediaType` found it
 * @param signal kills the process
 * @throws ExtractionError when no text can be extracted, which is the file's fault
 * @throws the signal's reason when aborted, and any other error when the file cannot be opened or the process cannot run;
 *   these are not the file's fault, and another attempt can succeed
 */
export async function extractText(
  path: string,
  mediaType: string,
  limits: ExtractionLimits,
  signal: AbortSignal,
): Promise<ExtractedText> {
  signal.throwIfAborted();
  if (!isExtractable(mediaType)) throw new ExtractionError('UNSUPPORTED_TYPE', mediaType);
  // No format can be read of nothing, and nothing is missing.
  if ((await stat(path)).size === 0) return withoutText;
  const response = await run(path, { mediaType, limits, rendition: null }, signal);
  if ('text' in response) return response.text;
  throw unexpected();
}

const withoutText: ExtractedText = { pages: [''], pageCount: null, characters: 0, truncated: false };

/** Reads a picture completely, and returns its size. Runs, and rejects, as `extractText`. */
export async function readPicture(
  path: string,
  mediaType: PictureMediaType,
  limits: ExtractionLimits,
  signal: AbortSignal,
): Promise<PictureSize> {
  const response = await run(path, { mediaType, limits, rendition: null }, signal);
  if ('picture' in response) return response.picture;
  throw unexpected();
}

/** Makes a rendition of a picture. Runs, and rejects, as `extractText`. */
export async function renderPicture(
  path: string,
  mediaType: PictureMediaType,
  rendition: Rendition | typeof wholePicture,
  limits: ExtractionLimits,
  signal: AbortSignal,
): Promise<MadePicture> {
  const response = await run(path, { mediaType, limits, rendition }, signal);
  if ('made' in response) return response.made;
  throw unexpected();
}

/** The outcome of a job for which the process did what it was started for. */
type Success = Exclude<ExtractionResponse, { readonly reason: string } | { readonly failure: string }>;

async function run(
  path: string,
  task: Omit<ExtractionJob, 'cpuMilliseconds'>,
  signal: AbortSignal,
): Promise<Success> {
  signal.throwIfAborted();
  const { limits } = task;
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const ending = await runProcess(file, { ...task, cpuMilliseconds: cpuLimitOf(size, limits) }, signal);
    signal.throwIfAborted();
    const response = interpretEnding(ending, limits);
    if ('reason' in response) throw new ExtractionError(response.reason, response.detail);
    if ('failure' in response) throw new Error(`The extraction process failed: ${response.failure}`);
    return response;
  } finally {
    await file.close();
  }
}

function unexpected(): ExtractionError {
  return new ExtractionError('DAMAGED', 'The process responded to another job.');
}

function runProcess(file: FileHandle, job: ExtractionJob, signal: AbortSignal): Promise<Ending> {
  const { limits } = job;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...nodeOptions(job), program, JSON.stringify(job)], {
      cwd: root,
      env: {},
      stdio: ['pipe', 'pipe', 'pipe', file.fd],
    });
    // At once, so that the threads that it is about to start have this priority too.
    lowerPriority(child);
    const { stdin, stdout, stderr } = child;
    if (stdin === null || stdout === null || stderr === null) throw new Error('The process has no pipes.');
    let killed: Ending['killed'] = null;
    const kill = (reason: Ending['killed']) => {
      killed ??= reason;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(() => kill('time'), limits.wallMilliseconds);
    const abort = () => kill('abort');
    signal.addEventListener('abort', abort);
    const stopWatching = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };

    const chunks: Buffer[] = [];
    let receivedBytes = 0;
    stdout.on('data', (chunk: Buffer) => {
      receivedBytes += chunk.length;
      if (receivedBytes > maximumResponseBytes(limits)) kill('output');
      else chunks.push(chunk);
    });
    let errorOutput = '';
    stderr.setEncoding('utf8').on('data', (text: string) => {
      errorOutput = (errorOutput + text).slice(0, MAXIMUM_ERROR_OUTPUT_CHARACTERS);
    });
    // The process may end before stdin does. `close` tells how it ended.
    stdin.on('error', () => undefined);
    child.once('error', (error) => {
      stopWatching();
      reject(error);
    });
    child.once('spawn', () => preferForOutOfMemoryKill(child));
    child.once('close', (code, endedBy) => {
      stopWatching();
      resolve({ code, signal: endedBy, output: Buffer.concat(chunks), errorOutput, killed });
    });
  });
}

/** The options that confine the process by Node.js's permission model, in addition to its empty environment. */
function nodeOptions({ mediaType, limits }: ExtractionJob): string[] {
  return [
    `--max-old-space-size=${limits.memoryMegabytes}`,
    // It can read this program and the packages. The file is passed open. It can write nothing.
    '--permission',
    `--allow-fs-read=${root}package.json`,
    `--allow-fs-read=${root}packages/`,
    `--allow-fs-read=${dirname(program)}/`,
    ...packageFolders.map((folder) => `--allow-fs-read=${folder}/`),
    '--allow-worker',
    // The decoders of pictures are not written in JavaScript.
    ...(isPicture(mediaType) ? ['--allow-addons'] : []),
    // Text from a file cannot be run as code.
    '--disallow-code-generation-from-strings',
    '--no-warnings',
  ];
}

/** A file may take a processor for a minute; requests go before. */
function lowerPriority({ pid }: ChildProcess): void {
  const priority = constants.priority.PRIORITY_BELOW_NORMAL;
  try {
    if (pid !== undefined && getPriority(pid) < priority) setPriority(pid, priority);
  } catch {
    // It has ended already, or a sandbox refuses the call. Texts are extracted all the same.
  }
}

/** When the machine is out of memory, Linux kills this process before the server; proc_pid_oom_score_adj(5). */
function preferForOutOfMemoryKill(child: ChildProcess): void {
  if (process.platform !== 'linux') return;
  // Fails when the process has ended already.
  writeFile(`/proc/${child.pid}/oom_score_adj`, '1000').catch(() => undefined);
}

function interpretEnding(ending: Ending, limits: ExtractionLimits): ExtractionResponse {
  const { code, signal, errorOutput } = ending;
  if (ending.killed === 'time') return { failure: `It did not end within ${limits.wallMilliseconds} ms.` };
  if (ending.killed === 'output')
    return { reason: 'DAMAGED', detail: 'The response of the process was too long.' };
  const detail = `The process ended with ${signal ?? `code ${code}`}. ${errorOutput}`;
  const response = parseResponse(ending.output, limits);
  if (response !== null) return response;
  // Without a response, SIGKILL comes from the system when memory is short. V8 aborts when its heap is full.
  const ranOut = signal === 'SIGKILL' || /out of memory|allocation failed/i.test(errorOutput);
  if (ranOut) return { reason: 'MEMORY_LIMIT', detail };
  // Crashes and invalid responses are caused by the file. Anything else is a broken installation or an operator's signal.
  const hasCrashed =
    signal !== null && ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGTRAP'].includes(signal);
  return hasCrashed || ending.output.length > 0 ? { reason: 'DAMAGED', detail } : { failure: detail };
}
