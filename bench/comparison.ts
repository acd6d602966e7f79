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

/** The middle one, or the mean of the two in the middle. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((left, right) => left - right);
  const at = (index: number) => sorted[index] ?? 0;
  return (at(Math.floor((sorted.length - 1) / 2)) + at(Math.floor(sorted.length / 2))) / 2;
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
  // A server that finishes nothing within a turn counts as one call in two seconds.
  const speed = (turn: Turn) => turn.requestsPerSecond || 0.5;
  return median(pairs.map(({ bare, ours }) => speed(ours) / speed(bare)));
}

/** One case: medians of each server's turns, and of the ratios within each pair. A dash: no call ended within a turn. */
export function tableRow(name: string, aim: number, pairs: readonly Pair[]): string {
  const cell = (numbers: readonly number[], digits: number, width: number) =>
    (numbers.length === 0 ? '–' : median(numbers).toFixed(digits)).padStart(width);
  const columns = (of: keyof Pair) => {
    const turns = pairs.map((pair) => pair[of]);
    const answered = turns.filter(({ requests }) => requests > 0);
    const column = (key: keyof Turn) => answered.map((turn) => turn[key]);
    return [
      cell(
        turns.map(({ requestsPerSecond }) => requestsPerSecond),
        0,
        10,
      ),
      cell(column('p50'), 2, 7),
      cell(column('p99'), 2, 7),
      cell(column('cpuMs'), 3, 6),
    ].join(' | ');
  };
  const answered = pairs.filter(({ bare, ours }) => bare.requests > 0 && ours.requests > 0);
  const cpu = answered.map(({ bare, ours }) => ours.cpuMs / bare.cpuMs);
  const speed = speedRatio(pairs);
  const ratio = speed < 100 ? cell([speed], 2, 5) : ' > 99';
  return `| ${name.padEnd(nameWidth)} | ${columns('bare')} | ${columns('ours')} | ${ratio} | ${cell([aim], 1, 4)} | ${cell(cpu, 2, 4)} |\n`;
}
