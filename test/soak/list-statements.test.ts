/**
 * Lists of many shapes: each selection of fields is a statement of its own, of which a connection keeps the most recently used ones.
 * Their memory is bounded, whatever a caller asks for.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { contacts } from '@trellis/schema/resources/contacts.ts';
import { flattenFields } from '@trellis/schema/resources/resource.ts';
import { startTestServer } from '../support/server.ts';
import { create } from '../support/writes.ts';

const shapes = 20_000;
/** How much the database's processes may grow together, in MB. */
const mostMegabytes = 60;
/** Requests at a time: as many as there are connections. */
const connections = 16;

const server = await startTestServer({ poolSize: connections, rateLimit: 0 });
after(() => server.close());

/** Memory of the database's processes that is theirs alone, in MB. */
async function megabytes(): Promise<number> {
  const rows = await server.database.worker.run(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND usename = 'trellis_api'`,
  );
  return rows.reduce((sum, [pid]) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return sum + Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1]) / 1_024;
  }, 0);
}

const fields = flattenFields(contacts).map(([name]) => name);

/** A list of contacts like no other: the fields are the bits of its number. */
function pathOf(number: number): string {
  const selected = fields.filter((_, index) => ((number + 1) >> index) & 1);
  const filter = number % 3 === 0 ? '&lifecycleStage=LEAD' : '';
  return `/v1/crm/contacts?fields=${selected.join()}&sort=${number % 2 === 0 ? 'createdAt' : '-updatedAt'}${filter}`;
}

async function ask(from: number, to: number): Promise<void> {
  let next = from;
  const askInTurn = async () => {
    while (next < to) {
      const number = next;
      next += 1;
      const { status, text } = await server.call('GET', pathOf(number));
      assert.equal(status, 200, text);
    }
  };
  await Promise.all(Array.from({ length: connections }, askInTurn));
}

test(`${shapes} lists of different shapes: the database's processes grow by ${mostMegabytes} MB at most`, async () => {
  await create(server, '/v1/crm/contacts', { firstName: 'Ada' });
  // Connections are opened, and what every one of them reads first is in their caches.
  await ask(0, 20 * connections);
  const before = await megabytes();
  await ask(20 * connections, shapes);
  const after = await megabytes();
  assert.ok(after - before <= mostMegabytes, `they grew from ${before.toFixed(0)} to ${after.toFixed(0)} MB`);
});
