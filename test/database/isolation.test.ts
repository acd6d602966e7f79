/**
 * Isolation of organizations: every table in the catalogue follows the rules, and every role is tried against the tables.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { resources } from '@trellis/schema/resources/index.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import pg from 'pg';
import { createOtherWorld, createOwnWorld } from '../support/fixtures.ts';
import { goodTable, identityTables, isolationRules } from '../support/isolation-rules.ts';
import { policyRules } from '../support/policy-rules.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();
const admin = new pg.Client({ connectionString: server.database.adminUrl });
const api = new pg.Client({ connectionString: server.database.urls.api });
let mine = '';
let theirs = '';

await admin.connect();
await api.connect();
before(async () => {
  // Names are shown with their schema.
  await admin.query(`SET search_path = ''`);
  mine = (await createOwnWorld(server)).organization.id;
  theirs = (await createOtherWorld(server)).organization.id;
});
after(async () => {
  await admin.end();
  await api.end();
  await server.close();
});

async function find(query: string): Promise<string[]> {
  const { rows } = await admin.query<string[]>({ text: query, rowMode: 'array' });
  return rows.map(([text = '']) => text);
}

/** Runs work in a transaction that is rolled back. */
async function tryOut<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    return await work();
  } finally {
    await client.query('ROLLBACK');
  }
}

/** Tables of the resources, with the side tables, which refer to them. To the organization everything refers. */
const recordTables = resources.flatMap(({ table, single }) => (single === true ? [] : [table]));
const resourceTables = await find(`
  WITH RECURSIVE parts AS (
    SELECT ('trellis.' || name)::regclass::oid AS oid FROM unnest('{${recordTables}}'::text[]) name
    UNION
    SELECT k.conrelid FROM pg_constraint k JOIN parts p ON p.oid = k.confrelid WHERE k.contype = 'f'
  )
  SELECT c.relname FROM pg_class c JOIN parts p ON p.oid = c.oid ORDER BY 1`);

for (const { rule, finds, breaks } of [...isolationRules(resourceTables), ...policyRules]) {
  test(rule, async () => {
    assert.deepEqual(await find(finds), []);
    await tryOut(admin, async () => {
      await admin.query(goodTable);
      assert.deepEqual(await find(finds), [], 'a table like the others breaks the rule');
    });
    for (const change of breaks) {
      const found = await tryOut(admin, async () => {
        await admin.query(goodTable);
        await admin.query(change);
        return find(finds);
      });
      assert.notDeepEqual(found, [], `not found: ${change}`);
    }
  });
}

interface Access {
  readonly table: string;
  readonly command: 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';
}

/** The privileges of the serving role on tables with organizations, or on their columns. */
async function accesses(): Promise<Access[]> {
  const { rows } = await admin.query<Access>(`
    SELECT c.relname AS "table", command FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id',
      unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) command
    WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind IN ('r', 'p')
      AND (has_table_privilege('trellis_api', c.oid, command)
        OR command <> 'DELETE' AND has_any_column_privilege('trellis_api', c.oid, command))
    ORDER BY 1, 2`);
  assert.ok(rows.length > resources.length);
  return rows;
}

/** Sets the organization as the server does (null: none), with access to all of its files. */
async function nameOrganization(id: string | null): Promise<void> {
  await api.query(`SELECT set_config('trellis.all_files', 'on', true)`);
  if (id !== null) await api.query(`SELECT set_config('trellis.organization', $1, true)`, [id]);
}

async function countRows(client: pg.Client, table: string, condition = 'true'): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM trellis.${table} WHERE ${condition}`,
  );
  return rows[0]?.n ?? Number.NaN;
}

/** The error code of a statement of the serving role; null when it succeeded. */
async function refusalOf(text: string): Promise<string | null> {
  try {
    await api.query(text);
    return null;
  } catch (error) {
    return (error as pg.DatabaseError).code ?? null;
  }
}

test('the serving role sees the rows of the organization that is set, and no others', async () => {
  for (const { table, command } of await accesses()) {
    if (command !== 'SELECT') continue;
    for (const organization of [mine, theirs]) {
      const all = await countRows(admin, table, `organization_id = '${organization}'`);
      if (resources.some((resource) => resource.table === table)) assert.ok(all > 0, `${table} is empty`);
      await tryOut(api, async () => {
        await nameOrganization(organization);
        assert.equal(await countRows(api, table), all, table);
        assert.equal(await countRows(api, table, `organization_id <> '${organization}'`), 0, table);
      });
    }
  }
});

test('without an organization, or with an empty or unknown one, no rows are visible', async () => {
  for (const { table, command } of await accesses()) {
    if (command !== 'SELECT') continue;
    for (const organization of [null, '', randomUUID()]) {
      await tryOut(api, async () => {
        await nameOrganization(organization);
        assert.equal(await countRows(api, table), 0, `${table} with ${organization}`);
      });
    }
  }
});

test('the organization is reset at the end of the transaction', async () => {
  await tryOut(api, async () => {
    await nameOrganization(mine);
    assert.ok((await countRows(api, 'sites')) > 0);
  });
  assert.equal(await countRows(api, 'sites'), 0);
});

test('a setting that is not a UUID makes the transaction fail', async () => {
  await tryOut(api, async () => {
    await nameOrganization(`${mine}' OR true`);
    assert.equal(await refusalOf('SELECT FROM trellis.sites'), '22P02');
  });
});

test('rows of another organization cannot be updated, deleted or inserted', async () => {
  for (const { table, command } of await accesses()) {
    for (const organization of [null, mine]) {
      await tryOut(api, async () => {
        await nameOrganization(organization);
        const label = `${command} ${table} as ${organization}`;
        switch (command) {
          case 'INSERT':
            // Row-level security is checked before missing columns are.
            assert.equal(await refusalOf(insertInto(table, theirs)), '42501', label);
            break;
          case 'UPDATE': {
            const column = await changeableColumn(table);
            const { rowCount } = await api.query(
              `UPDATE trellis.${table} SET ${column} = ${column} WHERE organization_id = $1`,
              [theirs],
            );
            assert.equal(rowCount, 0, label);
            break;
          }
          case 'DELETE': {
            const { rowCount } = await api.query(`DELETE FROM trellis.${table} WHERE organization_id = $1`, [
              theirs,
            ]);
            assert.equal(rowCount, 0, label);
            break;
          }
        }
      });
    }
    // Members of the own organization are refused as well, unless they are programs: see below.
    if (command !== 'INSERT' || table === 'memberships') continue;
    // A row of the own organization fails later, at the first missing column, or is inserted.
    await tryOut(api, async () => {
      await nameOrganization(mine);
      assert.notEqual(await refusalOf(insertInto(table, mine)), '42501', table);
    });
  }
});

test('the serving role makes service members, and of people neither accounts nor members nor names', async () => {
  const { rows } = await admin.query<{ person: string }>(
    'SELECT user_id AS person FROM trellis.memberships WHERE organization_id = $1 AND responsible_user_id IS NULL LIMIT 1',
    [mine],
  );
  const person = rows[0]?.person;
  assert.ok(person);
  const join = (user: string, responsible: string) =>
    `INSERT INTO trellis.memberships (organization_id, user_id, role, responsible_user_id)
     VALUES ('${mine}', '${user}', 'VIEWER', ${responsible})`;
  const id = randomUUID();
  const insert = (serviceOf: string) =>
    `INSERT INTO trellis.users (id, name, service_of) VALUES ('${id}', 'Program', ${serviceOf})`;
  for (const refused of [insert('NULL'), insert(`'${theirs}'`), join(person, 'NULL')])
    await tryOut(api, async () => {
      await nameOrganization(mine);
      assert.equal(await refusalOf(refused), '42501', refused);
    });
  await tryOut(api, async () => {
    await nameOrganization(mine);
    await api.query(insert(`'${mine}'`));
    await api.query(join(id, `'${person}'`));
    const rename = (user: string) =>
      api
        .query('UPDATE trellis.users SET name = name WHERE id = $1', [user])
        .then(({ rowCount }) => rowCount);
    assert.deepEqual([await rename(id), await rename(person)], [1, 0]);
  });
});

test('the serving role deletes the rows of ended tokens alone', async () => {
  await tryOut(api, async () => {
    await nameOrganization(mine);
    const { rowCount } = await api.query(
      'DELETE FROM trellis.tokens WHERE revoked_at IS NULL AND session_id IS NULL',
    );
    assert.equal(rowCount, 0);
  });
});

test('a row cannot be moved to another organization', async () => {
  for (const { table, command } of await accesses()) {
    if (command !== 'UPDATE') continue;
    if ((await changeableColumn(table)) !== 'organization_id') continue;
    await tryOut(api, async () => {
      await nameOrganization(mine);
      if ((await countRows(api, table)) === 0) return;
      const refusal = await refusalOf(`UPDATE trellis.${table} SET organization_id = '${theirs}'`);
      assert.equal(refusal, '42501', table);
    });
  }
});

function insertInto(table: string, organization: string): string {
  return `INSERT INTO trellis.${table} (organization_id) VALUES ('${organization}')`;
}

/** A column that the serving role may update; the organization if it may update all. */
async function changeableColumn(table: string): Promise<string> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = ('trellis.' || $1)::regclass AND attnum > 0 AND NOT attisdropped
       AND has_column_privilege('trellis_api', attrelid, attnum, 'UPDATE')
     ORDER BY attname <> 'organization_id', attnum LIMIT 1`,
    [table],
  );
  return rows[0]?.name ?? '';
}

test('a reference into another organization cannot be stored, not even by a superuser', async () => {
  const { rows } = await admin.query<{ id: string }>(
    'SELECT id FROM trellis.sites WHERE organization_id = $1',
    [theirs],
  );
  const foreign = rows[0]?.id;
  assert.ok(foreign);
  for (const { table, parent } of resources) {
    if (parent === null) continue;
    await tryOut(admin, async () => {
      const copy = admin.query(
        `INSERT INTO trellis.${table}
         SELECT (jsonb_populate_record(t, $2::jsonb)).* FROM trellis.${table} t WHERE organization_id = $1 LIMIT 1`,
        [mine, JSON.stringify({ id: newUuid(), slug: 'other', [parent.column]: foreign })],
      );
      await assert.rejects(copy, (error) => (error as pg.DatabaseError).code === '23503', table);
    });
  }
});

test('the owner of the tables sees no rows either', async () => {
  const owner = new pg.Client({ connectionString: server.database.urls.owner });
  await owner.connect();
  try {
    for (const { table } of resources) {
      // Whoever owns the search functions may read these, and the owner of the tables is a member of that role.
      if (['memberships', 'roles'].includes(table)) continue;
      await tryOut(owner, async () => {
        await owner.query(`SELECT set_config('trellis.organization', $1, true)`, [mine]);
        assert.equal(await countRows(owner, table), 0, table);
      });
    }
  } finally {
    await owner.end();
  }
});

test('the background role reads and writes no record', async () => {
  for (const table of resourceTables) {
    // People and what they may do are changed by operators as well.
    if (identityTables.includes(table)) continue;
    await assert.rejects(
      server.database.worker.run(`SELECT FROM trellis.${table}`),
      (error) => (error as pg.DatabaseError).code === '42501',
      table,
    );
  }
});
