/** Two nodes of the product that are loaded in alternating turns, so that the noise of the machine meets both. */
import type { ChildProcess } from 'node:child_process';
import type { BenchData } from './data.ts';
import type { Load, LoadResult } from './load.ts';
import { median, quantile } from './median.ts';
import { type Case, dialectsOf } from './peers/cases.ts';
import { nextMessage } from './processes.ts';
import { processorTimeOf, processorTimeOfTree } from './processor-time.ts';

export interface ComparedNode {
  /** As the head of the table names it. */
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly token: string;
  readonly data: BenchData;
  /** Waits until nothing of its writes is left to do in the background, which would be a burden on the next turn. */
  settle(): Promise<void>;
}

/** Processor time in ms, and requests in a second. */
interface Turn {
  readonly rate: number;
  readonly nodeMs: number;
  readonly databaseMs: number;
}

export interface Comparison {
  readonly loader: ChildProcess;
  readonly nodes: readonly [ComparedNode, ComparedNode];
  /** Of PostgreSQL. */
  readonly databasePid: number;
  /** Length of a turn. */
  readonly seconds: number;
  /** Of each node, for each case. */
  readonly turns: number;
}

const totalOf = ({ nodeMs, databaseMs }: Turn) => nodeMs + databaseMs;

/** Head of the table, in Markdown. */
export function comparisonHead([first, second]: Comparison['nodes']): string {
  const titles = [
    'case',
    ...[first, second].map(({ name }) => `${name}, req/s`),
    'ratio',
    ...[first, second].map(({ name }) => `${name}, CPU ms, node + PostgreSQL`),
    'ratio of CPU (middle half of the pairs)',
    'refused',
  ];
  return `| ${titles.join(' | ')} |\n| --- |${' --: |'.repeat(titles.length - 1)}\n`;
}

/**
 * Loads both nodes with one case. @returns a row of the table: medians, and of the ratios of the first node's figures to the second's within each pair of turns
 * @throws Error when a node responds to no request
 */
export async function compareNodes(comparison: Comparison, kind: Case): Promise<string> {
  const { loader, nodes, databasePid, seconds, turns } = comparison;
  let refused = 0;
  const turn = async (node: ComparedNode, duration: number): Promise<Turn> => {
    const [nodeBefore, databaseBefore] = [processorTimeOf(node.pid), processorTimeOfTree(databasePid)];
    loader.send({
      url: node.url,
      headers: { authorization: `Bearer ${node.token}`, ...kind.headers },
      seconds: duration,
      connections: kind.connections,
      requests: kind.requests(dialectsOf(node.data).ours, node.data, { bare: '', ours: '' }),
    } satisfies Load);
    const { failures, requests, requestsPerSecond } = (await nextMessage(loader)) as LoadResult;
    // A node that a busy machine keeps from its work refuses some: that is printed.
    refused += failures;
    if (requests === 0) throw new Error(`${kind.name}: ${node.name} refused all of ${failures} requests`);
    await node.settle();
    return {
      rate: requestsPerSecond,
      nodeMs: (processorTimeOf(node.pid) - nodeBefore) / requests,
      databaseMs: (processorTimeOfTree(databasePid) - databaseBefore) / requests,
    };
  };
  // The first seconds prepare statements, warm caches and let V8 compile.
  for (const node of nodes) await turn(node, 3);
  const pairs: (readonly [Turn, Turn])[] = [];
  for (let number = 0; number < turns; number += 1) {
    // Whoever comes second finds a warmer database: they alternate in that too.
    if (number % 2 === 0) pairs.push([await turn(nodes[0], seconds), await turn(nodes[1], seconds)]);
    else {
      const second = await turn(nodes[1], seconds);
      pairs.push([await turn(nodes[0], seconds), second]);
    }
  }
  const middle = (read: (pair: readonly [Turn, Turn]) => number, digits: number) =>
    median(pairs.map(read)).toFixed(digits);
  const costs = pairs.map(([first, second]) => totalOf(first) / totalOf(second));
  const cells = [
    kind.name,
    middle(([first]) => first.rate, 0),
    middle(([, second]) => second.rate, 0),
    middle(([first, second]) => first.rate / second.rate, 2),
    `${middle(([first]) => first.nodeMs, 2)} + ${middle(([first]) => first.databaseMs, 2)}`,
    `${middle(([, second]) => second.nodeMs, 2)} + ${middle(([, second]) => second.databaseMs, 2)}`,
    `${median(costs).toFixed(3)} (${quantile(costs, 0.25).toFixed(2)} to ${quantile(costs, 0.75).toFixed(2)})`,
    refused,
  ];
  return `| ${cells.join(' | ')} |\n`;
}
