/**
 * Runs the command line: in this process, which takes some milliseconds, or as users do, as a process with arguments, an
 * environment and an exit code.
 */

import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from '@trellis/server/program.ts';
import type { TestDatabase } from './database.ts';
import type { Json } from './server.ts';

const main = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url));

export type ProgramEnvironment = Readonly<Record<string, string>>;

export interface ProgramResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output parsed; throws when it is not JSON. */
  json(): Json;
}

/** The environment without the variables of Trellis, which the program would read as settings. */
export function cleanEnvironment(more: ProgramEnvironment = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('TRELLIS_') && name !== 'PORT' && name !== 'NODE_TEST_CONTEXT',
  );
  return { ...Object.fromEntries(inherited), ...more };
}

/** Starts one command line; both outputs have to be read. */
export function startProgram(
  words: readonly string[],
  environment: ProgramEnvironment = {},
  cwd?: string,
): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, [main, ...words], {
    env: cleanEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  });
}

/**
 * Runs one command line to its end in this process. For all commands that end by themselves and do not serve; what only a
 * process has (signals, closed outputs, variables of Node.js) needs `runProgram`.
 */
export async function runCommand(
  words: readonly string[],
  environment: ProgramEnvironment = {},
  folder: string = process.cwd(),
): Promise<ProgramResult> {
  let stdout = '';
  let stderr = '';
  const code = await runCommandLine(words, {
    folder,
    environment: cleanEnvironment(environment),
    stdout: (chunk) => {
      stdout += chunk;
    },
    stderr: (chunk) => {
      stderr += chunk;
    },
    isTerminal: false,
  });
  return { code, stdout, stderr, json: () => JSON.parse(stdout) };
}

/** Runs one command line to its end, in a process of its own. */
export async function runProgram(
  words: readonly string[],
  environment: ProgramEnvironment = {},
  cwd?: string,
): Promise<ProgramResult> {
  const child = startProgram(words, environment, cwd);
  const exited = once(child, 'exit');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await exited;
  return { code: child.exitCode, stdout, stderr, json: () => JSON.parse(stdout) };
}

/** Settings that make the program use a test's database. */
export function settingsOf(database: TestDatabase): Record<string, string> {
  return {
    TRELLIS_DATABASE_URL: database.urls.api,
    TRELLIS_DATABASE_WORKER_URL: database.urls.worker,
    TRELLIS_DATABASE_AUTH_URL: database.urls.auth,
    TRELLIS_DATABASE_OWNER_URL: database.urls.owner,
    TRELLIS_CURSOR_KEY: '07'.repeat(32),
    TRELLIS_VISITOR_KEY: '08'.repeat(32),
  };
}

/** A server process whose lifecycle events are read from its standard output. */
export interface ServingProgram {
  readonly url: string;
  /** The URL of its metrics; null when they are switched off. */
  readonly metricsUrl: string | null;
  readonly pid: number;
  /** Lifecycle events so far. */
  readonly events: readonly Json[];
  /** Lines logged so far, parsed. */
  readonly log: readonly Json[];
  /** Sends the signal and waits for the end; returns the exit code, null when killed. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts `trellis serve --json …` and waits until it is ready. @throws Error with its output when it ends before */
export async function startServing(
  words: readonly string[],
  environment: ProgramEnvironment = {},
): Promise<ServingProgram> {
  return awaitReady(startProgram(['serve', '--json', ...words], environment));
}

/** Waits until a process that serves with --json is ready. @throws Error with its output when it ends before */
export async function awaitReady(
  child: ChildProcessByStdio<null, Readable, Readable>,
): Promise<ServingProgram> {
  const { pid } = child;
  if (pid === undefined) throw new Error('the program could not be started');
  const stderr = text(child.stderr);
  const events: Json[] = [];
  const log: Json[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.startsWith('{')) log.push(JSON.parse(line));
  });
  const exited = once(child, 'exit');
  const { url, metricsUrl } = await new Promise<Json>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const event = JSON.parse(line);
      events.push(event);
      if (event.event === 'ready') resolve(event);
    });
    exited.then(async () => reject(new Error(`it ended before it was ready: ${await stderr}`)), reject);
  });
  return {
    url,
    metricsUrl,
    pid,
    events,
    log,
    async end(signal) {
      child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
}

/** A program that runs until it is ended, and its output so far. */
export interface RunningProgram {
  /** Lines of standard output. */
  readonly lines: readonly string[];
  /** Standard error so far. */
  said(): string;
  /** Closes the reading end of standard output, as `head` does. */
  stopReading(): void;
  /** The exit code, once it has ended; null when killed. */
  readonly ended: Promise<number | null>;
  /** Sends the signal and waits for the end; returns the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts one command line that runs until it is ended. */
export function startRunning(
  words: readonly string[],
  environment: ProgramEnvironment = {},
  cwd?: string,
): RunningProgram {
  const child = startProgram(words, environment, cwd);
  const lines: string[] = [];
  let said = '';
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  // Both outputs have been read by then.
  const ended = once(child, 'close').then(() => child.exitCode);
  return {
    lines,
    said: () => said,
    stopReading: () => child.stdout.destroy(),
    ended,
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

/** Calls a server process and returns the response body, which must be a success; null for none. */
export async function callServed(
  url: string,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<Json> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID() }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  for (;;) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
    });
    const text = await response.text();
    // The server refuses calls when the machine is busy with other tests; a client retries.
    if (response.status === 503) {
      await sleep(100);
      continue;
    }
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  }
}

/** Reads the metrics of a program; they may be a second old. */
export async function readMetrics({ metricsUrl }: Pick<ServingProgram, 'metricsUrl'>): Promise<string> {
  assert.ok(metricsUrl !== null);
  const response = await fetch(metricsUrl);
  assert.equal(response.status, 200);
  return response.text();
}
