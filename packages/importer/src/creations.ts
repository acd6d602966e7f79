/**
 * Sends the creations of rows that are imported at the same time as batches. While one is on its way, those that come meanwhile wait for
 * the next one, so that batches are as large as rows are many.
 */

import { errorOf } from '@trellis/client/batches.ts';
import type { BatchOutcome } from '@trellis/client/generated/types.ts';
import { ProblemError } from '@trellis/client/problem.ts';
import { ImportStopped } from './errors.ts';

/** Items of a batch at most. */
const mostItems = 100;
/** Characters of their bodies at most: those of a letter of any language have three bytes at most, and a body a mebibyte. */
const mostCharacters = 300_000;
/** Batches of a collection that are on their way at most: one is carried out while the next one is made. */
const mostSent = 2;

/** An object of a request. */
type Body = Readonly<Record<string, unknown>>;

/** What is sent. `R`: the records as they are read. */
interface Requests<R> {
  /** Sends a batch. */
  write(path: string, items: readonly Body[]): Promise<readonly BatchOutcome[]>;
  /** The records with these ids. */
  readAll(path: string, ids: readonly string[]): Promise<readonly R[]>;
}

interface Waiting<R> {
  readonly body: Body;
  readonly characters: number;
  readonly settle: { resolve(record: R): void; reject(error: unknown): void };
}

/** The creations of one collection. */
interface Line<R> {
  readonly waiting: Waiting<R>[];
  sent: number;
  isScheduled: boolean;
}

/** Sends creations in batches. */
export class Creations<R extends { readonly id: string }> {
  private readonly requests: Requests<R>;
  /** By path of the collection. */
  private readonly lines = new Map<string, Line<R>>();

  constructor(requests: Requests<R>) {
    this.requests = requests;
  }

  /** Creates a record below a path. @throws ProblemError as the request alone would, ImportStopped */
  create(path: string, body: Body): Promise<R> {
    const line: Line<R> = this.lines.get(path) ?? { waiting: [], sent: 0, isScheduled: false };
    this.lines.set(path, line);
    const { promise, ...settle } = Promise.withResolvers<R>();
    line.waiting.push({ body, characters: JSON.stringify(body).length, settle });
    this.schedule(path, line);
    return promise;
  }

  /** Sends what waits when the rows that are imported now have come as far as they can without a response. */
  private schedule(path: string, line: Line<R>): void {
    if (line.isScheduled || line.sent >= mostSent || line.waiting.length === 0) return;
    line.isScheduled = true;
    void nextTask().then(() => {
      line.isScheduled = false;
      line.sent += 1;
      void this.send(path, takeBatch(line)).finally(() => {
        line.sent -= 1;
        this.schedule(path, line);
      });
      this.schedule(path, line);
    });
  }

  private async send(path: string, batch: readonly Waiting<R>[]): Promise<void> {
    try {
      const outcomes = await this.requests.write(
        path,
        batch.map(({ body }) => ({ op: 'create', data: body })),
      );
      const ids = outcomes.flatMap(({ id }) => (id === undefined ? [] : [id]));
      const records = new Map(
        (ids.length === 0 ? [] : await this.requests.readAll(path, ids)).map((record) => [record.id, record]),
      );
      for (const [index, { settle }] of batch.entries()) settleOne(settle, outcomes[index], records);
    } catch (error) {
      for (const { settle } of batch) settle.reject(error);
    }
  }
}

/** What browsers and Node.js have in common of a channel. */
interface Channel {
  readonly port1: { onmessage: (() => void) | null; close(): void };
  readonly port2: { postMessage(message: null): void };
}

/** Lets other pending work run. Unlike a timer, a message is not delayed where the page is in the background. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel() as unknown as Channel;
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

function settleOne<R>(
  { resolve, reject }: Waiting<R>['settle'],
  outcome: BatchOutcome | undefined,
  records: ReadonlyMap<string, R>,
): void {
  const error = outcome === undefined ? null : errorOf(outcome);
  const record = records.get(outcome?.id ?? '');
  if (error !== null) reject(error);
  else if (record !== undefined) resolve(record);
  else if (outcome === undefined)
    reject(
      new ImportStopped(
        'The response to a batch has too few outcomes. Check that the address is that of a Trellis server.',
      ),
    );
  else
    reject(
      new ProblemError({
        code: 'not_found',
        status: 404,
        detail: 'The record was deleted as soon as it was created.',
      }),
    );
}

function takeBatch<R>({ waiting }: Line<R>): Waiting<R>[] {
  let characters = 0;
  let count = 0;
  while (count < mostItems && count < waiting.length) {
    characters += waiting[count]?.characters ?? 0;
    if (count > 0 && characters > mostCharacters) break;
    count += 1;
  }
  return waiting.splice(0, count);
}
