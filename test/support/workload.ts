/**
 * Concurrent workers that check that nothing acknowledged is lost and nothing is done twice. Each worker records the
 * responses it received and retries every call under its key until it gets one; at the end the database must contain
 * exactly what the records say.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeId } from '@trellis/schema/values/ids.ts';
import type { Database } from '@trellis/server/kernel/database/database.ts';
import { until } from './until.ts';

/** A write that was acknowledged, with everything needed to send it again. */
interface Acknowledged {
  readonly method: string;
  readonly path: string;
  readonly body: string | null;
  readonly key: string;
  readonly status: number;
  readonly text: string;
}

/** The expected state of a record, by the responses to a worker. */
interface Account {
  readonly id: string;
  version: number;
  title: string;
  deleted: boolean;
}

export interface WorkloadResult {
  readonly accounts: Account[];
  readonly acknowledged: Acknowledged[];
  /** Calls that failed without a response and were repeated. */
  readonly retries: number;
  /** Retries that returned the stored response: the write was done, but its response was lost. */
  readonly replays: number;
}

export interface Workload {
  /** Writes acknowledged so far. */
  acknowledged(): number;
  /** The longest time without an acknowledgement since the last call, in ms, up to now. */
  takeInterruption(): number;
  /** Lets the workers finish their current calls, and returns their accounts. */
  finish(): Promise<WorkloadResult>;
}

/**
 * Starts workers that create, change and delete articles of one site until `finish`, or until the test has ended.
 * @param pauseMs how long a worker waits after each acknowledged write
 */
export function startWorkload(
  context: TestContext,
  url: string,
  token: string,
  siteId: string,
  workers: number,
  pauseMs = 0,
): Workload {
  let stopping = false;
  // After a failed test, the workers must not keep calling a server that has ended.
  let abandoned = false;
  context.after(() => {
    abandoned = true;
  });
  const acknowledged: Acknowledged[] = [];
  const accounts: Account[] = [];
  const counts = { retries: 0, replays: 0 };
  let lastAt = performance.now();
  let longestMs = 0;
  const measure = () => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - lastAt);
    lastAt = now;
  };
  const path = `/v1/sites/${siteId}/articles`;

  async function send(method: string, to: string, body: object | null): Promise<Acknowledged> {
    const key = randomUUID();
    const text = body === null ? null : JSON.stringify(body);
    while (!abandoned) {
      try {
        const response = await fetch(`${url}${to}`, {
          method,
          body: text,
          headers: {
            authorization: `Bearer ${token}`,
            'idempotency-key': key,
            ...(text === null ? {} : { 'content-type': 'application/json' }),
          },
          signal: AbortSignal.timeout(15_000),
        });
        const responseText = await response.text();
        // 503: not done; 409 in progress: the first attempt has not finished. Both are retried.
        if (response.status === 503 || responseText.includes('idempotency_in_progress')) {
          await sleep(20);
          continue;
        }
        assert.ok(response.status < 300, `${method} ${to}: ${response.status} ${responseText}`);
        if (response.headers.get('idempotent-replayed') === 'true') counts.replays += 1;
        const done = { method, path: to, body: text, key, status: response.status, text: responseText };
        acknowledged.push(done);
        measure();
        if (pauseMs > 0) await sleep(pauseMs);
        return done;
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        counts.retries += 1;
        await sleep(25);
      }
    }
    throw new Error('the test has ended');
  }

  async function work(worker: number): Promise<void> {
    for (let round = 0; !stopping; round += 1) {
      const title = `Worker ${worker} round ${round}`;
      const created = JSON.parse(
        (await send('POST', path, { versionData: { title, body: `Body of ${title}` } })).text,
      );
      const account: Account = { id: created.id, version: 1, title, deleted: false };
      accounts.push(account);
      for (let change = 0; change < 3 && !stopping; change += 1) {
        const next = `${title}, change ${change}`;
        const changed = await send('PATCH', `${path}/${account.id}`, { versionData: { title: next } });
        account.version += 1;
        account.title = next;
        assert.equal(JSON.parse(changed.text).version, account.version);
      }
      if (round % 3 === 2) {
        await send('DELETE', `${path}/${account.id}`, null);
        account.deleted = true;
      }
    }
  }

  const running = Array.from({ length: workers }, (_, worker) => work(worker));
  // `finish` reports failures; without it they would be unhandled rejections.
  for (const worker of running) worker.catch(() => undefined);
  return {
    acknowledged: () => acknowledged.length,
    takeInterruption() {
      measure();
      const taken = longestMs;
      longestMs = 0;
      return taken;
    },
    async finish() {
      stopping = true;
      await Promise.all(running);
      return { accounts, acknowledged, ...counts };
    },
  };
}

/**
 * Compares the database with the acknowledged writes: records, versions, and exactly one event for each write, in the outbox or the log.
 */
export async function checkAccounts(
  worker: Database,
  admin: Database,
  result: WorkloadResult,
): Promise<void> {
  const rows = await admin.run(`SELECT a.id, a.version, a.title FROM trellis.articles a ORDER BY a.id`);
  const stored = new Map(rows.map(([id, version, title]) => [id, { version: Number(version), title }]));
  const living = result.accounts.filter(({ deleted }) => !deleted);
  assert.equal(stored.size, living.length, 'records in the database and records acknowledged');
  for (const { id, version, title } of living) {
    assert.deepEqual(stored.get(decodeId('art', id)), { version, title });
  }
  const events = await worker.run(
    `SELECT subject_id, string_agg(type || ':' || subject_version, ',' ORDER BY subject_version)
     FROM (SELECT subject_type, subject_id, subject_version, type FROM trellis.outbox
       UNION ALL SELECT subject_type, subject_id, subject_version, type FROM trellis.events) events
     WHERE subject_type = 'article' GROUP BY subject_id`,
  );
  const published = new Map(events.map(([id, list]) => [id, list]));
  assert.equal(published.size, result.accounts.length, 'subjects of events and records ever acknowledged');
  for (const { id, version, deleted } of result.accounts) {
    const updates = Array.from({ length: version - 1 }, (_, index) => `article.updated:${index + 2}`);
    const expected = [
      'article.created:1',
      ...updates,
      ...(deleted ? [`article.deleted:${version + 1}`] : []),
    ];
    assert.equal(published.get(decodeId('art', id)), expected.join(','));
  }
  const entries = await admin.run(`SELECT count(*) FROM trellis.search_records WHERE type = 'article'`);
  assert.equal(Number(entries[0]?.[0]), living.length, 'search entries and records');
}

/**
 * Sends the first `count` acknowledged writes again under their keys. Each must get the same bytes, unless its response
 * was erased with the record: then it gets 404 with the record's id.
 */
export async function checkReplays(
  url: string,
  token: string,
  { accounts, acknowledged }: WorkloadResult,
  count: number,
): Promise<void> {
  const deleted = new Set(accounts.filter((account) => account.deleted).map(({ id }) => id));
  for (const { method, path, body, key, status, text } of acknowledged.slice(0, count)) {
    // 503: a server on a busy machine has not looked for it.
    const response = await until('a response that is not 503', async () => {
      const one = await fetch(`${url}${path}`, {
        method,
        body,
        headers: {
          authorization: `Bearer ${token}`,
          'idempotency-key': key,
          ...(body === null ? {} : { 'content-type': 'application/json' }),
        },
      });
      if (one.status !== 503) return one;
      await one.text();
      return null;
    });
    const responseText = await response.text();
    assert.equal(response.headers.get('idempotent-replayed'), 'true', `${response.status} ${responseText}`);
    const record = method === 'POST' ? JSON.parse(text).id : path.split('/').at(-1);
    if (method !== 'DELETE' && deleted.has(record)) {
      assert.equal(response.status, 404, responseText);
      assert.equal(JSON.parse(responseText).recordId, record);
    } else {
      assert.equal(response.status, status, responseText);
      assert.equal(responseText, text);
    }
  }
}
