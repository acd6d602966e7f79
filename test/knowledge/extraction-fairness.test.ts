/** Fairness of extraction: the files of one organization do not delay those of others, whatever their number and size. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { defaultExtractionLimits } from '@trellis/server/features/knowledge/extraction.ts';
import { claimJob, setJobDue } from '@trellis/server/features/knowledge/extraction-queue.ts';
import { startExtraction } from '@trellis/server/features/knowledge/extraction-service.ts';
import { createModels } from '@trellis/server/features.ts';
import { modelOf } from '@trellis/server/kernel/pipeline/model.ts';
import pg from 'pg';
import { pino } from 'pino';
import { buildSlowPdf } from '../support/documents.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

let server: TestServer;
let admin: pg.Client;
before(async () => {
  server = await startTestServer();
  admin = new pg.Client({ connectionString: server.database.adminUrl });
  await admin.connect();
});
after(async () => {
  await admin?.end();
  await server?.close();
});

/** Creates files that have waited for a number of minutes. */
async function addJobs(organizationId: string, count: number, minutes: number): Promise<void> {
  await admin.query(
    `INSERT INTO trellis.extraction_jobs
       (organization_id, file_id, content_version, media_type, sha256, available_at, attempts)
     SELECT $1, gen_random_uuid(), 1, 'text/plain', 'none', now() - make_interval(mins => $3), 0
     FROM generate_series(1, $2::integer)`,
    [organizationId, count, minutes],
  );
}

async function makeOrganizations(...keys: string[]): Promise<string[]> {
  const organizations = [];
  for (const key of keys) organizations.push(await createOrganization(server.database.worker, key));
  return organizations.map(({ id }) => id);
}

/** Claims files until none is due; returns the organizations in the order in which they were served. */
async function takeAll(passedOver: readonly string[] = []): Promise<string[]> {
  const served: string[] = [];
  for (;;) {
    const job = await claimJob(server.database.worker, 600, passedOver);
    if (job === null) return served;
    served.push(job.organizationId);
  }
}

async function clear(): Promise<void> {
  await admin.query('TRUNCATE trellis.extraction_jobs, trellis.extraction_turns');
}

test('the organization that was served longest ago comes first, however many files of others are waiting', async () => {
  await clear();
  const [many = '', few = '', late = ''] = (await makeOrganizations('many', 'few', 'late')).sort();
  await addJobs(many, 6, 60);
  await addJobs(few, 2, 30);
  // All organizations are new; one that was never served comes first.
  assert.deepEqual(await claimTimes(3), [many, few, many]);
  await addJobs(late, 1, 0);
  assert.deepEqual(await takeAll(), [late, few, many, many, many, many]);
  await addJobs(few, 1, 0);
  await addJobs(late, 1, 10);
  assert.deepEqual(await takeAll(), [late, few]);
});

async function claimTimes(count: number): Promise<string[]> {
  const served = [];
  for (let time = 0; time < count; time += 1) {
    served.push((await claimJob(server.database.worker, 600, []))?.organizationId ?? 'nobody');
  }
  return served;
}

test('within an organization, the longest waiting file comes first; an excluded organization gets none', async () => {
  await clear();
  const [one = '', other = ''] = await makeOrganizations('one', 'other');
  await addJobs(one, 1, 5);
  await addJobs(other, 3, 50);
  assert.deepEqual(await takeAll([other]), [one]);
  assert.deepEqual(await takeAll(), [other, other, other]);
});

test('concurrent claims take each file once, and a lease belongs to its attempt', async () => {
  await clear();
  const organizations = await makeOrganizations('a', 'b', 'c');
  for (const id of organizations) await addJobs(id, 10, 1);
  const taken = await Promise.all(
    Array.from({ length: 40 }, () => claimJob(server.database.worker, 600, [])),
  );
  const jobs = taken.filter((job) => job !== null);
  assert.equal(new Set(jobs.map(({ fileId }) => fileId)).size, jobs.length);
  // The loser of a race finds nothing and tries again.
  assert.equal(jobs.length + (await takeAll()).length, 30);
  const [job] = jobs;
  assert.ok(job);
  assert.equal(await setJobDue(server.database.worker, job, 0), true);
  // The clock of a virtual machine can be set back meanwhile.
  const again = await until('the file is due', () => claimJob(server.database.worker, 600, []));
  assert.deepEqual([again.fileId, again.attempts], [job.fileId, 2]);
  assert.equal(await setJobDue(server.database.worker, job, 0), false);
});

test('finding organizations with work costs one step per organization, not per file', async () => {
  await clear();
  const [crowd = '', single = ''] = await makeOrganizations('crowd', 'single');
  await addJobs(crowd, 20_000, 60);
  await addJobs(single, 1, 1);
  await admin.query('ANALYZE trellis.extraction_jobs');
  const readRows = async () => {
    // The statistics of a session are reported on request.
    await server.database.worker.run('SELECT pg_stat_force_next_flush()');
    await admin.query('SELECT pg_stat_force_next_flush()');
    await admin.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await admin.query(
      `SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) AS read FROM pg_stat_user_tables
       WHERE schemaname = 'trellis' AND relname = 'extraction_jobs'`,
    );
    return Number(rows[0].read);
  };
  const before = await readRows();
  assert.notEqual(await claimJob(server.database.worker, 600, []), null);
  const read = (await readRows()) - before;
  assert.ok(read < 1_000, `${read} rows were read`);
});

test('files that never finish leave half of the slots to others', async () => {
  await clear();
  const { worker, api } = server.database;
  const upload = async (token: string, name: string, bytes: Buffer) => {
    const created = await server.call('POST', '/v1/knowledge-files', { token, body: { name } });
    assert.equal(created.status, 201, created.text);
    const path = `/v1/knowledge-files/${created.json.id}`;
    const headers = { 'content-type': 'application/octet-stream' };
    assert.equal(
      (await server.call('PUT', `${path}/content`, { token, rawBody: bytes, headers })).status,
      200,
    );
    return path;
  };
  for (let file = 0; file < 4; file += 1) await upload(server.token, `slow ${file}`, buildSlowPdf('x', 26));
  const neighbour = await createOrganization(worker, 'neighbour');
  const member = await createMember(worker, neighbour, 'OWNER');
  const { token } = await createToken(worker, neighbour, member);
  const extraction = startExtraction({
    worker,
    api,
    objects: server.objects,
    model: modelOf(createModels(), 'knowledge-files'),
    // Only the test ends the slow files.
    limits: {
      ...defaultExtractionLimits,
      cpuMilliseconds: { least: 3_600_000, perMegabyte: 1, most: 3_600_000 },
    },
    pollMs: 50,
    nudge: () => undefined,
    log: pino({ level: 'silent' }),
  });
  try {
    const begun = async () => {
      const { rows } = await admin.query(
        'SELECT count(*)::int AS begun FROM trellis.extraction_jobs WHERE organization_id = $1 AND attempts > 0',
        [server.organization.id],
      );
      return rows[0].begun;
    };
    await until('a slow file is being read', async () => (await begun()) === 1);
    for (let file = 0; file < 3; file += 1) {
      const path = await upload(token, `small ${newUuid()}`, Buffer.from('eleven byte'));
      await until('the small file is read', async () => {
        const { json } = await server.call('GET', path, { token });
        return json.status === 'READY';
      });
    }
    assert.equal(await begun(), 1);
  } finally {
    await extraction.stop();
  }
});
