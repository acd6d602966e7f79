/** What other clients do to a server process: a tenant's latency, its memory, and blocks of its event loop. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestHead } from './connections.ts';
import type { Flood } from './flood-process.ts';
import { readMetrics, type ServingProgram } from './program.ts';
import type { Json } from './server.ts';

export const mebibyte = 1_048_576;

/** For a server whose memory is measured: a signal collects its garbage. */
export const garbageOptions = `--expose-gc --import=${new URL('./collect-garbage.mjs', import.meta.url)}`;

export interface Latency {
  /** In ms. */
  readonly p99: number;
  readonly statuses: Readonly<Record<number, number>>;
}

/** Reads as a tenant, 40 times a second. */
export async function beTenant(url: string, token: string, milliseconds: number): Promise<Latency> {
  const latencies: number[] = [];
  const statuses: Record<number, number> = {};
  const end = performance.now() + milliseconds;
  const read = async () => {
    const begun = performance.now();
    const response = await fetch(`${url}/v1/sites?limit=5`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await response.arrayBuffer();
    latencies.push(performance.now() - begun);
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
  };
  const running: Promise<void>[] = [];
  while (performance.now() < end) {
    running.push(read());
    await sleep(25);
  }
  await Promise.all(running);
  latencies.sort((one, other) => one - other);
  return { p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0, statuses };
}

export interface Memory {
  readonly resident: number;
  /** By V8's heap, and by buffers outside of it. */
  readonly used: number;
}

/** Memory of a server's process without garbage, in bytes. It was started with `garbageOptions`. */
export async function memoryOf(server: ServingProgram): Promise<Memory> {
  process.kill(server.pid, 'SIGUSR2');
  await sleep(500);
  const metrics = await readMetrics(server);
  const gauge = (name: string) => {
    const found = new RegExp(`^trellis_${name} (\\S+)$`, 'm').exec(metrics);
    assert.ok(found !== null, name);
    return Number(found[1]);
  };
  return {
    resident: gauge('process_resident_memory_bytes'),
    used: gauge('nodejs_heap_size_used_bytes') + gauge('nodejs_external_memory_bytes'),
  };
}

/** Every route of the documents, with a method that it has, as the head of a request. */
export async function listRoutes(url: string, headers: readonly string[] = []): Promise<string[]> {
  const heads: string[] = [];
  for (const path of ['/docs/openapi.json', '/auth/openapi.json', '/sandbox/openapi.json']) {
    const document = (await (await fetch(`${url}${path}`)).json()) as Json;
    const [{ url: base = '' } = {}] = document.servers ?? [];
    const prefix = path.startsWith('/sandbox') ? new URL(base, url).pathname : '';
    for (const [route, item] of Object.entries<Json>(document.paths)) {
      for (const method of Object.keys(item)) {
        const length = method === 'get' ? [] : ['Content-Length: 0'];
        const target = `${prefix}${route}`.replaceAll(/\{\w+\}/g, 'x');
        heads.push(requestHead(method.toUpperCase(), target, [...headers, ...length]));
      }
    }
    heads.push(requestHead('GET', path, headers));
  }
  assert.ok(heads.length > 100, 'the documents list the routes');
  return heads.filter((head) => /^[A-Z]+ \//.test(head));
}

/** Starts clients in a process of their own. It ends when all of them have left. @throws AssertionError if most of them sent nothing */
export async function beginFlood(flood: Omit<Flood, 'mostBytes'>): Promise<void> {
  const child = fork(new URL('./flood-process.ts', import.meta.url));
  child.send({ ...flood, mostBytes: 100 * mebibyte } satisfies Flood);
  const exited = once(child, 'exit');
  const [sent] = await once(child, 'message');
  assert.ok(sent > flood.connections / 2, `${sent} requests were sent`);
  await exited;
}
