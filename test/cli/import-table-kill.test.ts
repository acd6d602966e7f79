/** Kills of an import of a table at random requests, each followed by another run: every row is one record, created once. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fastCheck from 'fast-check';
import { createImportRunner, type ImportRunner } from '../support/killed-import.ts';
import { chooseSeed } from '../support/seed.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { amount } from '../support/soak.ts';

const rows = amount(30, 150);
const kills = amount(2, 3);
const mostRequestsBeforeKill = amount(8, 40);

let server: TestServer;
let folder: string;
let runner: ImportRunner;

before(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'trellis-table-'));
  const words = ['import', join(folder, 'people.csv'), '--resource', 'contacts'];
  runner = await createImportRunner(server, folder, words);
});
after(async () => {
  runner.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function readEvents(type: string): Promise<string[]> {
  const found = await server.database.worker.run(
    `SELECT type, subject_id FROM trellis.outbox
     UNION ALL SELECT type, subject_id FROM trellis.events ORDER BY subject_id`,
  );
  return found.filter(([name]) => name === type).map(([, subject]) => subject ?? '');
}

test(`an import of a table that is killed ${kills} times ends with exactly the right records`, async (context) => {
  const seed = chooseSeed(context);
  const lines = Array.from(
    { length: rows },
    (_, row) => `Person,No ${row},p${row}@example.com,Company ${row % 5},+49 30 ${100000 + row}`,
  );
  await writeFile(
    join(folder, 'people.csv'),
    `first name,last name,email,company,phone\n${lines.join('\n')}\n`,
  );
  const requests = fastCheck.sample(fastCheck.integer({ min: 1, max: mostRequestsBeforeKill }), {
    seed,
    numRuns: kills,
  });
  context.diagnostic(`killed at the requests ${requests.join(', ')}`);
  for (const number of requests) assert.equal(await runner.killed(number), 'SIGKILL');

  const report = await runner.whole();
  assert.deepEqual([report.rows, report.rejected, report.stopped], [rows, 0, null]);
  for (const [type, count] of [
    ['contact.created', rows],
    ['company.created', 5],
  ] as const) {
    const subjects = await readEvents(type);
    assert.equal(subjects.length, count, type);
    assert.equal(new Set(subjects).size, count, type);
  }
  assert.deepEqual(await readEvents('contact.updated'), []);

  const writes = runner.writes();
  const again = await runner.whole();
  assert.deepEqual([again.unchanged, again.created, again.updated, again.rejected], [rows, 0, 0, 0]);
  assert.equal(runner.writes(), writes, 'a second run does not even ask for a write');
});
