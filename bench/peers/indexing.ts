/** How long after its commit an article is found, while others are created at a steady rate. */
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeId } from '@trellis/schema/values/ids.ts';
import type pg from 'pg';

export interface IndexingTarget {
  /** Address of the collection. */
  readonly collection: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Body of a create. */
  create(title: string, body: string): object;
}

export interface IndexingResult {
  readonly creates: number;
  /** Creates that got 503, because more were under way than the server takes. */
  readonly refused: number;
  /** Articles that were searched for: one in twenty. */
  readonly searched: number;
  /** Of these: found by the title in the first search after the commit. */
  readonly titlesAtOnce: number;
  /** Of these: found by the body in the first search after its row was there. */
  readonly bodiesAtOnce: number;
  /** From the response to each create until the row of its body was there, in ms; ascending. */
  readonly milliseconds: readonly number[];
}

/** One of so many articles is searched for. */
const sampled = 20;
const pollMs = 20;

/** A word that nothing else contains: letters only, so that it is one word for every parser. */
function uniqueWord(kind: 'title' | 'body', number: number): string {
  const letters = [...`${process.pid}${Date.now()}${number}`].map((digit) =>
    String.fromCharCode(97 + Number(digit)),
  );
  return `${kind === 'title' ? 'tq' : 'bq'}${letters.join('')}`;
}

/**
 * Creates articles and waits until all of them are indexed. It asks the database which bodies are: searching for each of them again and
 * again would cost the server more than indexing them.
 * @throws Error when a call fails
 */
export async function measureIndexing(
  { collection, headers, create }: IndexingTarget,
  admin: pg.Client,
  texts: readonly string[],
  perSecond: number,
  seconds: number,
): Promise<IndexingResult> {
  const milliseconds: number[] = [];
  /** What is done when the body of a record is indexed, by the uuid of the record. */
  const waiting = new Map<string, () => void>();
  let [searched, titlesAtOnce, bodiesAtOnce, refused] = [0, 0, 0, 0];
  const isFound = async (word: string): Promise<boolean> => {
    const response = await fetch(`${collection}?search=${word}&fields=state&limit=1`, { headers });
    if (!response.ok) throw new Error(`a search got ${response.status}`);
    const { items } = (await response.json()) as { items: readonly unknown[] };
    return items.length > 0;
  };
  const createOne = async (number: number) => {
    const [title, body] = [uniqueWord('title', number), uniqueWord('body', number)];
    const response = await fetch(collection, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': title },
      body: JSON.stringify(create(`Garden ${title}`, `${texts[number % texts.length]} ${body}`)),
    });
    const result = (await response.json()) as { id?: string };
    if (response.status === 503) {
      refused += 1;
      return;
    }
    const uuid = decodeId('art', result.id ?? '');
    if (response.status !== 201 || uuid === null) throw new Error(`a create got ${response.status}`);
    const committed = performance.now();
    const isIndexed = new Promise<void>((resolve) => waiting.set(uuid, resolve));
    const isSampled = number % sampled === 0;
    if (isSampled && (await isFound(title))) titlesAtOnce += 1;
    await isIndexed;
    milliseconds.push(performance.now() - committed);
    if (!isSampled) return;
    searched += 1;
    if (await isFound(body)) bodiesAtOnce += 1;
  };
  let isCreating = true;
  const watch = async () => {
    while (isCreating || waiting.size > 0) {
      const { rows } = await admin.query<{ id: string }>(
        `SELECT record_id AS id FROM trellis.search_bodies WHERE type = 'article' AND record_id = ANY ($1::uuid[])`,
        [[...waiting.keys()]],
      );
      for (const { id } of rows) {
        waiting.get(id)?.();
        waiting.delete(id);
      }
      await sleep(pollMs);
    }
  };
  const watching = watch();
  watching.catch(() => undefined);
  const began = performance.now();
  const all: Promise<void>[] = [];
  let hasFailed = false;
  for (let number = 0; number < perSecond * seconds && !hasFailed; number += 1) {
    const due = began + (number * 1_000) / perSecond;
    if (due > performance.now()) await sleep(due - performance.now());
    const one = createOne(number);
    // Thrown below; without a handler until then the process would end and leave its servers behind.
    one.catch(() => {
      hasFailed = true;
    });
    all.push(one);
  }
  try {
    // If the database cannot be asked, nobody would be told that a body is indexed.
    await Promise.race([Promise.all(all), watching]);
  } finally {
    isCreating = false;
    waiting.clear();
    await watching;
  }
  milliseconds.sort((left, right) => left - right);
  return { creates: all.length, refused, searched, titlesAtOnce, bodiesAtOnce, milliseconds };
}
