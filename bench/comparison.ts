/**
 * Why: a ratio means something only when both servers did the same work. Before a case is measured, both answers are
 * held against each other: the same members everywhere, and as many items.
 */
import type { LoadRequest } from './load.ts';
import type { Server, Turn } from './processes.ts';

/** @throws Error naming the first difference */
export async function checkSameAnswer(
  name: string,
  bare: Server,
  ours: Server,
  requests: (server: Server) => readonly LoadRequest[],
): Promise<void> {
  const ask = async (server: Server): Promise<unknown> => {
    const [first] = requests(server);
    if (first === undefined) throw new Error(`${name} has no request for ${server.name}`);
    if (first.method !== 'GET') return null;
    const response = await fetch(`${server.url}${first.path}`, { headers: server.headers });
    if (!response.ok) throw new Error(`${name}: ${server.name} answered ${response.status}`);
    return response.json();
  };
  const difference = findDifference('', await ask(bare), await ask(ours));
  if (difference !== null) throw new Error(`${name}: the servers answer differently at ${difference}`);
}

/** Where two JSON values differ in shape: their members, the lengths of lists, and what is null. Highlights are ours alone. */
function findDifference(path: string, left: unknown, right: unknown): string | null {
  if (path.endsWith('/highlights') || path === '/pageInfo/nextCursor') return null;
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object') {
    return typeof left === typeof right && (left === null) === (right === null) ? null : path;
  }
  const [one, other] = [Object.entries(left), new Map(Object.entries(right))];
  if (one.length !== other.size) return `${path} (${one.length} and ${other.size} members)`;
  for (const [name, value] of one) {
    if (!other.has(name)) return `${path}/${name}`;
    const found = findDifference(`${path}/${name}`, value, other.get(name));
    if (found !== null) return found;
  }
  return null;
}

/** The middle one; of an even number, the upper of the two in the middle. */
export function median(numbers: readonly number[]): number {
  return [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0;
}

const nameWidth = 27;

/** Head of the table, in Markdown. */
export function tableHead(): string {
  const name = 'case'.padEnd(nameWidth);
  const server = (of: string) => `${of.padStart(4)} req/s |  p50 ms |  p99 ms | CPU ms`;
  const titles = `| ${name} | ${server('bare')} | ${server('ours')} | req/s |  aim |  CPU |`;
  return `${titles}\n${titles.replace(/[^|]/g, '-')}\n`;
}

/** Turns of both servers, one right after the other. */
export interface Pair {
  readonly bare: Turn;
  readonly ours: Turn;
}

/** Our requests per second as a part of the bare server's: the median of the ratios within each pair. */
export function speedRatio(pairs: readonly Pair[]): number {
  return median(pairs.map(({ bare, ours }) => ours.requestsPerSecond / bare.requestsPerSecond));
}

/** One case: medians of each server's turns, and of the ratios within each pair. */
export function tableRow(name: string, aim: number, pairs: readonly Pair[]): string {
  const cell = (value: number, digits: number, width: number) => value.toFixed(digits).padStart(width);
  const columns = (of: keyof Pair) => {
    const middle = (key: keyof Turn) => median(pairs.map((pair) => pair[of][key]));
    return [
      cell(middle('requestsPerSecond'), 0, 10),
      cell(middle('p50'), 2, 7),
      cell(middle('p99'), 2, 7),
      cell(middle('cpuMs'), 3, 6),
    ].join(' | ');
  };
  const cpu = median(pairs.map(({ bare, ours }) => ours.cpuMs / bare.cpuMs));
  const judged = `${cell(speedRatio(pairs), 2, 5)} | ${cell(aim, 1, 4)} | ${cell(cpu, 2, 4)}`;
  return `| ${name.padEnd(nameWidth)} | ${columns('bare')} | ${columns('ours')} | ${judged} |\n`;
}
