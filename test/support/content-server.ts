/**
 * Runs the product as a separate process, for tests of the effect of file contents on its memory, its life and its
 * store.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { makeDataDirectory } from './folders.ts';
import { createMember, createOrganization, createToken } from './identities.ts';
import { type ServingProgram, settingsOf, startServing } from './program.ts';
import type { Json } from './server.ts';
import { until } from './until.ts';

interface ContentResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Json;
}

interface ContentCall {
  readonly body?: unknown;
  readonly rawBody?: Uint8Array<ArrayBuffer> | string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly key?: string;
}

/** A database with one member, and server processes that may end and be restarted. */
export interface ContentPlace {
  readonly database: TestDatabase;
  readonly organizationId: string;
  readonly token: string;
  /** The folder of contents, unless the settings have another one. */
  readonly filesDir: string;
  /** Starts a serving process with a separate data directory; all of them share the contents. */
  start(settings?: Readonly<Record<string, string>>): Promise<ContentServer>;
  /** Types of the events of a file, in order. */
  eventsOf(id: string): Promise<string[]>;
  /** Ends running processes and removes everything. */
  close(): Promise<void>;
}

export interface ContentServer {
  readonly url: string;
  readonly metricsUrl: string | null;
  readonly pid: number;
  call(method: string, path: string, options?: ContentCall): Promise<ContentResponse>;
  createFile(body: object): Promise<Json>;
  upload(id: string, bytes: Uint8Array<ArrayBuffer> | string, query?: string): Promise<ContentResponse>;
  /** Waits until the extraction of a file has ended, and returns the file. */
  settled(id: string): Promise<Json>;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Creates a database and a folder; starts no process. */
export async function openContentPlace(): Promise<ContentPlace> {
  const database = await createTestDatabase({ poolSize: 2 });
  const directory = await makeDataDirectory('contents');
  const organization = await createOrganization(database.worker, `org-${randomBytes(4).toString('hex')}`);
  const userId = await createMember(database.worker, organization, 'OWNER');
  const { token } = await createToken(database.worker, organization, userId);
  const filesDir = `${directory}/files`;
  const running = new Set<ServingProgram>();
  let started = 0;
  return {
    database,
    organizationId: organization.id,
    token,
    filesDir,
    async start(settings = {}) {
      started += 1;
      const words = ['--port', '0', '--data-dir', `${directory}/node-${started}`];
      const own = { TRELLIS_LOG_LEVEL: 'error', TRELLIS_FILES_DIR: filesDir };
      const program = await startServing(words, { ...settingsOf(database), ...own, ...settings });
      running.add(program);
      return describeServer(program, token, () => running.delete(program));
    },
    async eventsOf(id) {
      const rows = await database.worker.run(
        `SELECT type, subject_id, subject_version FROM trellis.outbox
         UNION ALL SELECT type, subject_id, subject_version FROM trellis.events ORDER BY subject_version`,
      );
      return rows.flatMap(([type, subject]) => (encodeId('kf', subject ?? '') === id ? [type ?? ''] : []));
    },
    async close() {
      await Promise.all([...running].map((program) => program.end('SIGKILL')));
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function describeServer(program: ServingProgram, token: string, ended: () => void): ContentServer {
  const call = async (method: string, path: string, options: ContentCall = {}): Promise<ContentResponse> => {
    const headers = new Headers({ authorization: `Bearer ${token}`, ...options.headers });
    if (method !== 'GET') headers.set('idempotency-key', options.key ?? randomUUID());
    if (options.body !== undefined) headers.set('content-type', 'application/json');
    const body = options.rawBody ?? (options.body === undefined ? null : JSON.stringify(options.body));
    for (;;) {
      const response = await fetch(`${program.url}${path}`, { method, headers, body });
      const text = await response.text();
      const isJson = /^application\/(problem\+)?json\b/.test(response.headers.get('content-type') ?? '');
      const json = isJson && text !== '' ? JSON.parse(text) : undefined;
      // The server refuses calls when the machine is busy with other tests; a client retries.
      if (json?.code !== 'overloaded')
        return { status: response.status, headers: response.headers, text, json };
      await sleep(50);
    }
  };
  return {
    url: program.url,
    metricsUrl: program.metricsUrl,
    pid: program.pid,
    call,
    async createFile(body) {
      const { status, json, text } = await call('POST', '/v1/knowledge-files', { body });
      assert.equal(status, 201, text);
      return json;
    },
    upload: (id, rawBody, query = '') =>
      call('PUT', `/v1/knowledge-files/${id}/content${query}`, { rawBody }),
    settled: (id) =>
      until('the text is extracted', async () => {
        const { json } = await call('GET', `/v1/knowledge-files/${id}`);
        return json.status === 'READY' || json.status === 'FAILED' ? json : undefined;
      }),
    async end(signal) {
      const code = await program.end(signal);
      ended();
      return code;
    },
  };
}

/** Resident memory of a process, in bytes; from /proc, so on Linux only (proc_pid_status(5)). */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024;
}

/** Watches the memory of a process. */
export function watchMemory(pid: number): {
  /** Stops watching and returns the maximum, in bytes. */
  readonly stop: () => number;
} {
  let most = 0;
  const sample = () => {
    if (existsSync(`/proc/${pid}`)) most = Math.max(most, residentBytes(pid));
  };
  sample();
  // A test that fails before it stops the timer must still end.
  const timer = setInterval(sample, 10).unref();
  return {
    stop() {
      sample();
      clearInterval(timer);
      return most;
    },
  };
}
