/** What is printed of a comparison, and the check that both servers do the same work. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadRequest, LoadResult } from '../load.ts';
import { median } from '../median.ts';
import type { Case } from './cases.ts';

/** What one turn of one case cost. */
export interface Turn extends LoadResult {
  /** Processor time for each request: of the server's process, and of PostgreSQL. */
  readonly nodeCpuMs: number;
  readonly databaseCpuMs: number;
  /** Bytes of the write-ahead log, and bytes by which the database has grown, for each request and with the keys of its texts. */
  readonly walBytes: number;
  readonly diskBytes: number;
}

/** Turns of both servers, one right after the other. */
export interface Pair {
  readonly bare: Turn;
  readonly ours: Turn;
}

interface Asked {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface PeerResponse {
  readonly items?: readonly { readonly id: string }[];
  readonly id?: string;
}

/** Asks until the server is not too busy, ten times at most. @throws Error when the status is not 2xx in the end */
export async function askPatiently(url: string, headers: Asked['headers']): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(url, { headers });
    if (response.ok) return response;
    const text = await response.text();
    if (response.status !== 503 || tries === 10) throw new Error(`${url} got ${response.status}: ${text}`);
    await sleep(500);
  }
}

/**
 * Asks both servers once: a server that finds nothing, or less than the other one, would be a fast one.
 * @throws Error saying what differs
 */
export async function checkSameResponse(
  { name }: Case,
  bare: Asked,
  ours: Asked,
  bareRequest: LoadRequest | undefined,
  ourRequest: LoadRequest | undefined,
): Promise<void> {
  if (bareRequest === undefined || ourRequest === undefined) throw new Error(`${name} has no request`);
  if (bareRequest.method !== 'GET') return;
  const ask = async ({ url, headers }: Asked, { path }: LoadRequest): Promise<number> => {
    const response = await askPatiently(`${url}${path}`, headers);
    const result = (await response.json()) as PeerResponse;
    return result.items === undefined ? Number(result.id !== undefined) : result.items.length;
  };
  const [left, right] = [await ask(bare, bareRequest), await ask(ours, ourRequest)];
  if (left === 0 || left !== right)
    throw new Error(`${name}: the servers found ${left} and ${right} articles`);
}

/** Our requests per second as a part of the bare server's: the median of the ratios within each pair. */
export function ratioOf(pairs: readonly Pair[]): number {
  return median(pairs.map(({ bare, ours }) => ours.requestsPerSecond / bare.requestsPerSecond));
}

/** The bare server's processor time for a request as a part of ours, node and PostgreSQL together. */
function cpuRatioOf(pairs: readonly Pair[]): number {
  const cost = ({ nodeCpuMs, databaseCpuMs }: Turn) => nodeCpuMs + databaseCpuMs;
  return median(pairs.map(({ bare, ours }) => cost(bare) / cost(ours)));
}

/** Head of the table, in Markdown. */
export function tableHead(): string {
  const columns = [
    'req/s',
    'p50 ms',
    'p99 ms',
    'node CPU ms',
    'PostgreSQL CPU ms',
    'WAL bytes',
    'disk bytes',
  ];
  const titles = [
    'case',
    ...['bare', 'ours'].flatMap((who) => columns.map((column) => `${who} ${column}`)),
    'ratio',
    'aim',
    'CPU ratio',
    'refused',
  ];
  return `| ${titles.join(' | ')} |\n| --- |${' --: |'.repeat(titles.length - 1)}\n`;
}

/** One case: medians of each server's turns, and of the ratios within each pair. */
export function tableRow({ name, aim }: Case, pairs: readonly Pair[]): string {
  const of = (who: keyof Pair) => {
    const cell = (key: keyof Turn, digits: number) =>
      median(pairs.map((pair) => pair[who][key])).toFixed(digits);
    return [
      cell('requestsPerSecond', 0),
      cell('p50', 2),
      cell('p99', 1),
      cell('nodeCpuMs', 3),
      cell('databaseCpuMs', 3),
      cell('walBytes', 0),
      cell('diskBytes', 0),
    ];
  };
  const cells = [
    name,
    ...of('bare'),
    ...of('ours'),
    ratioOf(pairs).toFixed(2),
    aim === null ? '–' : String(aim),
    cpuRatioOf(pairs).toFixed(2),
    String(pairs.reduce((sum, { bare, ours }) => sum + bare.failures + ours.failures, 0)),
  ];
  return `| ${cells.join(' | ')} |\n`;
}
