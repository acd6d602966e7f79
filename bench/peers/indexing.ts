/** How long after its commit an article is found, while others are created at a steady rate. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface IndexingTarget {
  /** Address of the collection. */
  readonly collection: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Body of a create. */
  create(title: string, body: string): object;
}

export interface IndexingResult {
  readonly creates: number;
  /** Creates that were answered 503, because more were under way than the server takes. */
  readonly refused: number;
  /** Of the articles that were looked for: found by the title in the first call after the commit. */
  readonly titlesAtOnce: number;
  /** From the answer to the create to the first call that found the word of the body, in ms; ascending. */
  readonly milliseconds: readonly number[];
}

/** One of so many articles is looked for. */
const sampled = 20;
const pollMs = 20;

/** A word that nothing else contains: letters only, so that it is one word for every parser. */
function uniqueWord(kind: 'title' | 'body', number: number): string {
  const letters = [...`${process.pid}${Date.now()}${number}`].map((digit) =>
    String.fromCharCode(97 + Number(digit)),
  );
  return `${kind === 'title' ? 'tq' : 'bq'}${letters.join('')}`;
}

/** Creates articles and looks for some of them. @throws Error when a call fails */
export async function measureIndexing(
  { collection, headers, create }: IndexingTarget,
  texts: readonly string[],
  perSecond: number,
  seconds: number,
): Promise<IndexingResult> {
  const milliseconds: number[] = [];
  let titlesAtOnce = 0;
  let refused = 0;
  let failure: unknown;
  /** A search that is refused because the server is overloaded is sent again; the time counts. */
  const isFound = async (word: string): Promise<boolean> => {
    const response = await fetch(`${collection}?search=${word}&fields=state&limit=1`, { headers });
    const body = await response.text();
    if (response.status === 503) {
      await sleep(pollMs);
      return isFound(word);
    }
    if (!response.ok) throw new Error(`a search was answered ${response.status}`);
    const { items } = JSON.parse(body) as { items: readonly unknown[] };
    return items.length > 0;
  };
  const createOne = async (number: number) => {
    const [title, body] = [uniqueWord('title', number), uniqueWord('body', number)];
    const response = await fetch(collection, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': title },
      body: JSON.stringify(create(`Garden ${title}`, `${texts[number % texts.length]} ${body}`)),
    });
    await response.arrayBuffer();
    if (response.status === 503) {
      refused += 1;
      return;
    }
    if (response.status !== 201) throw new Error(`a create was answered ${response.status}`);
    if (number % sampled !== 0) return;
    const committed = performance.now();
    if (await isFound(title)) titlesAtOnce += 1;
    while (!(await isFound(body))) await sleep(pollMs);
    milliseconds.push(performance.now() - committed);
  };
  const began = performance.now();
  const all: Promise<void>[] = [];
  for (let number = 0; number < perSecond * seconds && failure === undefined; number += 1) {
    const due = began + (number * 1_000) / perSecond;
    if (due > performance.now()) await sleep(due - performance.now());
    all.push(
      createOne(number).catch((error: unknown) => {
        failure ??= error;
      }),
    );
  }
  await Promise.all(all);
  if (failure !== undefined) throw failure;
  return { creates: all.length, refused, titlesAtOnce, milliseconds: milliseconds.sort((a, b) => a - b) };
}
