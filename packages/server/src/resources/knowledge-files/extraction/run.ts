/**
 * Runs the extraction process for one file. Parsers of untrusted files can loop forever, use all memory, or crash, so the
 * process has no environment, cannot open other files, and is ended after a timeout or when the result is no longer wanted.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ExtractionError } from './errors.ts';
import { cpuLimitOf, type ExtractionLimits } from './limits.ts';
import { isExtractable } from './media-types.ts';
import {
  type ExtractedText,
  type ExtractionAnswer,
  type ExtractionJob,
  maximumAnswerBytes,
  parseAnswer,
} from './protocol.ts';

const MAXIMUM_COMPLAINT_CHARACTERS = 4000;

const program = fileURLToPath(new URL('child.ts', import.meta.url));
const root = fileURLToPath(new URL('../../../../../../', import.meta.url));

/** How the process ended, and what it had written by then. */
interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: Buffer;
  readonly complaint: string;
  /** Why we killed it, if we did. */
  readonly killed: 'abort' | 'time' | 'output' | null;
}

/**
 * The text of a file. Starts one process, which is gone when the promise settles; how many run at once is up to the
 * caller, and each may hold `limits.memoryMegabytes`.
 *
 * @param mediaType as `sniffMediaType` found it
 * @param signal kills the process
 * @throws ExtractionError when it lies in the file that there is no text
 * @throws the signal's reason when aborted, and any other error when the file cannot be opened or the process cannot run:
 *   these say nothing about the file, and trying again can help
 */
export async function extractText(
  path: string,
  mediaType: string,
  limits: ExtractionLimits,
  signal: AbortSignal,
): Promise<ExtractedText> {
  signal.throwIfAborted();
  if (!isExtractable(mediaType)) throw new ExtractionError('UNSUPPORTED_TYPE', mediaType);
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size === 0) throw new ExtractionError('EMPTY', 'The file has no bytes.');
    const job = { mediaType, limits, cpuMilliseconds: cpuLimitOf(size, limits) };
    const ending = await runProcess(file, job, signal);
    signal.throwIfAborted();
    const answer = judgeEnding(ending, limits);
    if ('text' in answer) return answer.text;
    if ('reason' in answer) throw new ExtractionError(answer.reason, answer.detail);
    throw new Error(`The process that reads a file could not do its work: ${answer.failure}`);
  } finally {
    await file.close();
  }
}

function runProcess(file: FileHandle, job: ExtractionJob, signal: AbortSignal): Promise<Ending> {
  const { limits } = job;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...nodeOptions(limits), program, JSON.stringify(job)], {
      cwd: root,
      env: {},
      stdio: ['pipe', 'pipe', 'pipe', file.fd],
    });
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
      if (receivedBytes > maximumAnswerBytes(limits)) kill('output');
      else chunks.push(chunk);
    });
    let complaint = '';
    stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(0, MAXIMUM_COMPLAINT_CHARACTERS);
    });
    // It may end before it is told to: how it ended is what counts.
    stdin.on('error', () => undefined);
    child.once('error', (error) => {
      stopWatching();
      reject(error);
    });
    child.once('spawn', () => sacrificeFirst(child));
    child.once('close', (code, endedBy) => {
      stopWatching();
      resolve({ code, signal: endedBy, output: Buffer.concat(chunks), complaint, killed });
    });
  });
}

/** How the process is confined; what is not in Node.js's permission model is refused by the empty environment. */
function nodeOptions(limits: ExtractionLimits): string[] {
  return [
    `--max-old-space-size=${limits.memoryMegabytes}`,
    // It can read our program and the packages. The file is given to it open, and it can write nothing.
    '--permission',
    `--allow-fs-read=${root}package.json`,
    `--allow-fs-read=${root}packages/`,
    `--allow-fs-read=${root}node_modules/`,
    '--allow-worker',
    // What a parser could be tricked into running as code does not run.
    '--disallow-code-generation-from-strings',
    '--no-warnings',
  ];
}

/** When the whole machine runs out of memory, Linux ends this process before the server; proc_pid_oom_score_adj(5). */
function sacrificeFirst(child: ChildProcess): void {
  if (process.platform !== 'linux') return;
  // It may have ended already, which is as good.
  writeFile(`/proc/${child.pid}/oom_score_adj`, '1000').catch(() => undefined);
}

function judgeEnding(ending: Ending, limits: ExtractionLimits): ExtractionAnswer {
  const { code, signal, complaint } = ending;
  if (ending.killed === 'time') return { failure: `It did not end within ${limits.wallMilliseconds} ms.` };
  if (ending.killed === 'output')
    return { reason: 'DAMAGED', detail: 'The process answered more than it may.' };
  const story = `The process ended with ${signal ?? `code ${code}`}. ${complaint}`;
  const answer = parseAnswer(ending.output, limits);
  if (answer !== null) return answer;
  // Without an answer, SIGKILL is from the system, for want of memory. V8 aborts when its heap is full.
  const ranOut = signal === 'SIGKILL' || /out of memory|allocation failed/i.test(complaint);
  if (ranOut) return { reason: 'MEMORY_LIMIT', detail: story };
  // Crashes and wrong answers are the file's doing. Anything else is an installation that doesn't work, or an operator.
  const hasCrashed =
    signal !== null && ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGTRAP'].includes(signal);
  return hasCrashed || ending.output.length > 0 ? { reason: 'DAMAGED', detail: story } : { failure: story };
}
