/**
 * The main thread of the process that reads one file. It parses nothing, so that it can watch memory and processor time,
 * notice when the server has gone, and send one response, whatever the file does to the worker thread.
 *
 * Input: the job as JSON in the first argument, the file as file descriptor 3, and standard input, which the server keeps
 * open as long as it wants the response. Output: the response as JSON.
 */
import { Worker } from 'node:worker_threads';
import type { ExtractionReason } from './errors.ts';
import type { ExtractionJob, ExtractionResponse } from './protocol.ts';

const CHECK_MILLISECONDS = 20;
const MICROSECONDS_PER_MILLISECOND = 1_000;
const BYTES_PER_MEGABYTE = 1024 * 1024;
const MAXIMUM_DETAIL_CHARACTERS = 1000;

const job: ExtractionJob = JSON.parse(process.argv[2] ?? '');

let isSent = false;

/** `process.exit` would wait for the worker, which may be in the middle of a long system or library call. */
function endProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}

function sendResponse(response: ExtractionResponse): void {
  if (isSent) return;
  isSent = true;
  process.stdout.write(JSON.stringify(response), endProcess);
}

function sendReason(reason: ExtractionReason, detail: string): void {
  sendResponse({ reason, detail: detail.slice(0, MAXIMUM_DETAIL_CHARACTERS) });
}

process.stdin.on('end', endProcess).resume();

setInterval(() => {
  // The time of all threads of the process.
  const { user, system } = process.cpuUsage();
  if (user + system > job.cpuMilliseconds * MICROSECONDS_PER_MILLISECOND)
    sendReason('TIME_LIMIT', `The process has used ${job.cpuMilliseconds} ms of processor time.`);
  // Memory outside the heap (buffers, strings read from the file) has no other limit.
  const megabytes = Math.round(process.memoryUsage.rss() / BYTES_PER_MEGABYTE);
  if (megabytes > job.limits.memoryMegabytes)
    sendReason('MEMORY_LIMIT', `The process holds ${megabytes} MB.`);
}, CHECK_MILLISECONDS);

/**
 * The user and group `nobody` of Linux. Not the account of the embedded PostgreSQL, whose files a parser must not reach either.
 */
const nobody = 65_534;

/**
 * Gives the rights of root up for all threads, where the server runs as root: permissions of Node.js do not bind the decoders of
 * pictures, which are native code. Everything is loaded by then, since the folders of root may be closed to others.
 */
function giveUpRoot(): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return;
  try {
    process.setgroups?.([]);
    process.setgid?.(nobody);
    process.setuid?.(nobody);
  } catch {
    // A container can have a root that may not do this, or not know the user: it is confined already.
  }
}

const worker = new Worker(new URL('./worker.ts', import.meta.url), {
  workerData: job,
  env: {},
  // Output of the parsers is discarded; it would mix with the response.
  stdout: true,
  stderr: true,
  resourceLimits: { maxOldGenerationSizeMb: Math.ceil(job.limits.memoryMegabytes * 0.75) },
});
worker.stdout.resume();
worker.stderr.resume();
let isLoaded = false;
worker.on('message', (message: 'loaded' | ExtractionResponse) => {
  if (message === 'loaded') {
    isLoaded = true;
    giveUpRoot();
    worker.postMessage('begin');
  } else if ('reason' in message) sendReason(message.reason, message.detail ?? '');
  else sendResponse(message);
});
worker.on('error', (error: Error & { code?: string }) => {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') sendReason('MEMORY_LIMIT', error.message);
  else if (isLoaded) sendReason('DAMAGED', String(error));
  else sendResponse({ failure: String(error) });
});
worker.on('exit', (code) =>
  sendReason('DAMAGED', `The worker ended with code ${code} and without a response.`),
);
