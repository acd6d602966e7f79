/** An organization is exported, and imported into an installation that serves another one; hostile exports are refused. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { movedTables } from '@trellis/server/features/backup/organization/tables.ts';
import pg from 'pg';
import { type FolderStore, makeStore, openFolderStore } from '../support/backups.ts';
import { createOwnWorld } from '../support/fixtures.ts';
import { createMember, createOrganization, createToken, type TestToken } from '../support/identities.ts';
import {
  exportFrom,
  type Forgery,
  forge,
  importInto,
  type OrganizationArchive,
  openExport,
} from '../support/moved-organizations.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** Where the organization comes from, and an installation with another one. */
let source: TestServer;
let target: TestServer;
let from: pg.Client;
let to: pg.Client;
let moved: FolderStore;
let archive: OrganizationArchive;
/** Of the person who is a member in both installations: the uuid of their account in the target. */
let known = '';
/** A token of a service member, which has no account elsewhere. */
let program: TestToken;
const secret = `whsec_${randomBytes(32).toString('base64')}`;

before(async () => {
  source = await startTestServer();
  target = await startTestServer();
  from = new pg.Client({ connectionString: source.database.adminUrl });
  to = new pg.Client({ connectionString: target.database.adminUrl });
  await from.connect();
  await to.connect();
  const { ids } = await createOwnWorld(source);
  const { organization } = source;
  const robot = newUuid();
  await from.query(`INSERT INTO trellis.users (id, name, service_of) VALUES ($1, 'Robot', $2)`, [
    robot,
    organization.id,
  ]);
  await from.query(
    `INSERT INTO trellis.memberships (organization_id, user_id, role, responsible_user_id) VALUES ($1, $2, 'EDITOR', $3)`,
    [organization.id, robot, source.ownerId],
  );
  program = await createToken(source.database.worker, organization, robot);
  await from.query('UPDATE trellis.webhook_subscriptions SET secret = $1', [`sealed ${secret}`]);
  await from.query(
    `INSERT INTO trellis.events SELECT organization_id, 1, now(), gen_random_uuid(), type, subject_type, subject_id,
       parent_id, 1, actor_user_id, NULL, 'request', '{}', now(), NULL FROM trellis.outbox LIMIT 1`,
  );
  await from.query(`INSERT INTO trellis.event_positions VALUES ($1, 1, now())`, [organization.id]);
  await to.query(`INSERT INTO trellis.event_sink_cursors VALUES ($1, 'nats', 1, now())`, [
    target.organization.id,
  ]);
  await from.query(`UPDATE trellis.organizations SET status = 'SUSPENDED' WHERE id = $1`, [organization.id]);
  // Another organization of the source, of which nothing may be moved.
  await createMember(
    source.database.worker,
    await createOrganization(source.database.worker, 'stays'),
    'OWNER',
  );
  known = await createMember(target.database.worker, target.organization, 'VIEWER');
  await to.query('UPDATE trellis.users SET (email, email_normalized) = ($2, $2) WHERE id = $1', [
    known,
    `${source.ownerId}@example.com`,
  ]);
  assert.ok(ids.size > 0);
  moved = await openFolderStore();
  await exportFrom(source, moved.store);
  archive = await openExport(moved.store);
});
after(async () => {
  await moved?.close();
  await from?.end();
  await to?.end();
  await source?.close();
  await target?.close();
});

/** The rows of all tables of an organization, as a superuser sees them. */
async function rowsOf(client: pg.Client, organizationId: string, tables: readonly string[]) {
  const found: Record<string, string[]> = {};
  for (const table of tables) {
    const { rows } = await client.query<{ text: string }>(
      `SELECT t::text AS text FROM trellis.${table} t WHERE organization_id = $1 ORDER BY 1`,
      [organizationId],
    );
    found[table] = rows.map(({ text }) => text);
  }
  return found;
}

/** What the target has of the organization that is moved. */
async function traces(): Promise<object> {
  const { id } = source.organization;
  const { rows } = await to.query(
    `SELECT (SELECT count(*)::integer FROM trellis.organizations WHERE id = $1) AS organizations,
       (SELECT count(*)::integer FROM trellis.users) AS users, (SELECT count(*)::integer FROM trellis.events) AS events,
       (SELECT count(*)::integer FROM trellis.memberships) AS memberships`,
    [id],
  );
  return { ...rows[0], contents: await target.objects.list(id, null, 10) };
}

async function assertRefused(given: OrganizationArchive, message: RegExp, key?: string): Promise<void> {
  const before = await traces();
  await assert.rejects(importInto(target.database, target.objects, given, key), message);
  assert.deepEqual(await traces(), before);
}

/** Changes the first row of a table. */
const firstRow =
  (change: (fields: string[]) => string[]) =>
  (rows: string): string => {
    const [first = '', ...others] = rows.split('\n');
    return [change(first.split('\t')).join('\t'), ...others].join('\n');
  };

const withField = (place: number, value: string) => firstRow((fields) => fields.with(place, value));

function columnOf(table: string, column: string): number {
  const place = archive.manifest.tables.find(({ name }) => name === table)?.columns.indexOf(column) ?? -1;
  assert.ok(place >= 0, `${table}.${column}`);
  return place;
}

const attacks: readonly (readonly [string, () => Promise<Forgery> | Forgery, RegExp])[] = [
  [
    'a row of another organization',
    () => ({ rows: { books: withField(0, target.organization.id) } }),
    /PostgreSQL rejected the rows of the export \(new row violates row-level security policy/,
  ],
  [
    'a membership of an account that is not a part of it',
    () => ({ rows: { memberships: withField(columnOf('memberships', 'user_id'), target.ownerId) } }),
    /a row of memberships for an account that is not a part of it/,
  ],
  [
    'a token of an account that is not a part of it, whose id is written in another way',
    () => ({ rows: { tokens: withField(columnOf('tokens', 'user_id'), target.ownerId.toUpperCase()) } }),
    /a row of tokens for an account that is not a part of it/,
  ],
  [
    'a token that somebody uses here',
    async () => {
      const { rows } = await to.query(
        `SELECT encode(secret_hash, 'hex') AS hash FROM trellis.tokens LIMIT 1`,
      );
      return { rows: { tokens: withField(columnOf('tokens', 'secret_hash'), `\\\\x${rows[0].hash}`) } };
    },
    /a row of tokens that another organization here has/,
  ],
  [
    'a publishable key that somebody uses here',
    async () => {
      const client = newUuid();
      await to.query(
        `INSERT INTO trellis.clients (organization_id, id, name, kind) VALUES ($1, $2::uuid, $2::text, 'BROWSER')`,
        [target.organization.id, client],
      );
      const key = 'k'.repeat(43);
      await to.query('INSERT INTO trellis.publishable_keys VALUES ($1, $2, $3, $2)', [
        target.organization.id,
        client,
        key,
      ]);
      return { rows: { publishable_keys: withField(columnOf('publishable_keys', 'key'), key) } };
    },
    /a row of publishable_keys that another organization here has/,
  ],
  [
    'a service member of another organization',
    () => ({ rows: { users: (rows) => rows.replaceAll(source.organization.id, target.organization.id) } }),
    /an account that is not the one of a person or of a service member/,
  ],
  [
    'an address that is looked up as another one',
    () => ({
      rows: {
        users: (rows) => rows.replace(/\t(\S+@example.com)\t\S+@example.com/, '\t$1\tother@example.com'),
      },
    }),
    /an account that is not the one of a person/,
  ],
  ['an account twice', () => ({ rows: { users: (rows) => rows + rows } }), /has an account twice/],
  [
    'a session',
    () => ({
      rows: {
        tokens: firstRow((fields) =>
          fields
            .with(columnOf('tokens', 'session_id'), newUuid())
            .with(columnOf('tokens', 'idle_seconds'), '1')
            .with(columnOf('tokens', 'authenticated_at'), '2026-01-01')
            .with(columnOf('tokens', 'sign_in_methods'), '{LINK}')
            .with(columnOf('tokens', 'multi_factor'), 't'),
        ),
      },
    }),
    /a row of tokens that is not moved/,
  ],
  [
    'an active organization',
    () => ({ rows: { organizations: withField(columnOf('organizations', 'status'), 'ACTIVE') } }),
    /a row of organizations that is not moved/,
  ],
  [
    'permissions that do not exist',
    () => ({
      rows: {
        roles: withField(
          columnOf('roles', 'grants'),
          '[{"resource":"operators","action":"create","own":false}]',
        ),
      },
    }),
    /permissions that do not exist/,
  ],
  [
    'a webhook secret that is none',
    () => ({ rows: { webhook_subscriptions: withField(columnOf('webhook_subscriptions', 'secret'), 'x') } }),
    /a webhook secret that is none/,
  ],
  [
    'an event of the future',
    () => ({ rows: { events: withField(columnOf('events', 'logged_at'), '2999-01-01 00:00:00+00') } }),
    /an event of the future/,
  ],
  [
    'an e-mail address of no contact',
    () => ({
      rows: {
        contact_emails: () => `${[source.organization.id, 'nobody@example.com', newUuid()].join('\t')}\n`,
      },
    }),
    /a row of contact_emails that belongs to no row of contacts/,
  ],
  [
    'too few columns',
    () => ({ rows: { sites: firstRow((fields) => fields.slice(1)) } }),
    /PostgreSQL rejected/,
  ],
  [
    'too many columns',
    () => ({ rows: { sites: firstRow((fields) => [...fields, 'x']) } }),
    /PostgreSQL rejected/,
  ],
  [
    'an end of the data before its end',
    () => ({ rows: { sites: (rows) => `\\.\n${rows}` } }),
    /PostgreSQL rejected|table sites in the database differs/,
  ],
  [
    'a status that does not exist',
    () => ({ rows: { books: withField(columnOf('books', 'status'), 'OWNED') } }),
    /PostgreSQL rejected .*violates check constraint/,
  ],
  [
    'a content of another organization',
    () => ({ contents: (list) => list.replaceAll(source.organization.id, target.organization.id) }),
    /has one of another organization/,
  ],
  [
    'a path instead of an object',
    () => ({ manifest: ({ contents }) => ({ contents: { ...contents, parts: ['../../x'] } }) }),
    /does not have the form of one/,
  ],
  [
    'the id of an organization here',
    () => ({
      manifest: ({ organization }) => ({ organization: { ...organization, id: target.organization.id } }),
    }),
    /is in this installation already/,
  ],
  [
    'a key that is none',
    () => ({ manifest: ({ organization }) => ({ organization: { ...organization, key: "x'; DROP" } }) }),
    /The key must be/,
  ],
  [
    'another table',
    () => ({ manifest: ({ tables }) => ({ tables: [...tables, { ...tables[0], name: 'passwords' }] }) }),
    /other tables than those of this release/,
  ],
  [
    'SQL instead of the name of a column',
    () => ({
      manifest: ({ tables: [table, ...others] }) => ({
        tables: [{ ...table, columns: ['id" FROM trellis.users; --'] }, ...others],
      }),
    }),
    /has no table .* with the columns of this release/,
  ],
  [
    'more rows than its manifest says',
    () => ({
      manifest: ({ tables }) => ({
        tables: tables.map((table) => (table.name === 'books' ? { ...table, rows: table.rows - 1 } : table)),
      }),
    }),
    /books has more rows than the manifest says/,
  ],
  [
    'more rows than an import accepts',
    () => ({
      manifest: ({ tables }) => ({
        tables: tables.map((table) => (table.name === 'books' ? { ...table, rows: 20_000_000 } : table)),
      }),
    }),
    /has 2000\d{4} rows, and an import accepts 20000000.*--max-rows/,
  ],
  [
    'fewer rows than its manifest says',
    () => ({
      manifest: ({ tables }) => ({
        tables: tables.map((table) => (table.name === 'books' ? { ...table, rows: table.rows + 1 } : table)),
      }),
    }),
    /table books in the export differs from the manifest/,
  ],
  [
    'the migrations of another release',
    () => ({
      manifest: ({ migrations }) => ({
        migrations: [...migrations, { name: '9999_later.sql', checksum: '' }],
      }),
    }),
    /Bring both installations to the same release/,
  ],
];

for (const [name, makeForgery, message] of attacks) {
  test(`an export with ${name} is refused, and leaves nothing`, async () => {
    const forgery = await makeForgery();
    const opened = forge(archive, forgery);
    if (message.source.startsWith('does not have')) {
      await assert.rejects(opened, message);
      return;
    }
    await assertRefused(await opened, message, name.startsWith('the id of') ? 'other' : undefined);
  });
}

test('a key that is used here, and an account whose address is not proven, are refused with what to do', async () => {
  const { rows } = await to.query('SELECT key FROM trellis.organizations WHERE id = $1', [
    target.organization.id,
  ]);
  await assertRefused(
    archive,
    /There is another organization with the key .* Choose a key with --key/,
    rows[0].key,
  );
  await to.query('UPDATE trellis.users SET address_proven = false WHERE id = $1', [known]);
  await assertRefused(archive, /its address is not proven.*trellis user sign-in-link/);
  await to.query('UPDATE trellis.users SET address_proven = true WHERE id = $1', [known]);
});

test('an import that fails after contents were stored removes them', async () => {
  const failing = {
    ...target.objects,
    put: async (...given: Parameters<typeof target.objects.put>) => {
      await target.objects.put(...given);
      throw new Error('the disk is full');
    },
  };
  const before = await traces();
  await assert.rejects(importInto(target.database, failing, archive), /the disk is full/);
  assert.deepEqual(await traces(), before);
});

test('an organization is imported as it was, and what exists here stays as it is', async (context) => {
  const { id } = source.organization;
  const others = Object.keys(movedTables).filter((name) => !['organizations', 'users'].includes(name));
  const accountBefore = await to.query('SELECT * FROM trellis.users WHERE id = $1', [known]);
  const ownBefore = await rowsOf(to, target.organization.id, others);
  // As an export of a checkout from before the schema was in one place.
  const older = await forge(archive, {
    manifest: () => ({ migrations: [{ name: '0001_tenancy.sql', checksum: '' }] }),
  });
  const imported = await importInto(target.database, target.objects, older, 'moved');
  assert.deepEqual(imported.existingAccounts, [`${source.ownerId}@example.com`]);
  assert.ok(imported.revokedTokens >= 1);
  assert.deepEqual(
    (await to.query('SELECT * FROM trellis.users WHERE id = $1', [known])).rows,
    accountBefore.rows,
  );
  assert.deepEqual(await rowsOf(to, target.organization.id, others), ownBefore);

  // Sessions stay, secrets are sealed anew, and search entries are written anew.
  const changed = [
    'tokens',
    'webhook_subscriptions',
    'search_marks',
    'idempotency_keys',
    'timers',
    'extraction_jobs',
  ];
  const same = others.filter((name) => !changed.includes(name));
  const expected: Record<string, string[]> = {};
  for (const [name, rows] of Object.entries(await rowsOf(from, id, same))) {
    const inTarget = rows.map((row) =>
      row
        .replaceAll(source.ownerId, known)
        .replaceAll(encodeId('user', source.ownerId), encodeId('user', known)),
    );
    expected[name] = inTarget.sort();
  }
  const found = await rowsOf(to, id, same);
  for (const name of same) assert.deepEqual(found[name]?.sort(), expected[name], name);
  const { rows: organizations } = await to.query(
    'SELECT key, status FROM trellis.organizations WHERE id = $1',
    [id],
  );
  assert.deepEqual(organizations, [{ key: 'moved', status: 'SUSPENDED' }]);
  const { rows: secrets } = await to.query(
    'SELECT secret FROM trellis.webhook_subscriptions WHERE organization_id = $1',
    [id],
  );
  assert.deepEqual(secrets, [{ secret: `resealed ${secret}` }]);
  const { rows: cursors } = await to.query(
    'SELECT position::integer FROM trellis.event_sink_cursors WHERE organization_id = $1',
    [id],
  );
  assert.deepEqual(cursors, [{ position: 1 }]);
  const { rows: marks } = await to.query(
    `SELECT (SELECT count(*) FROM trellis.search_marks WHERE organization_id = $1) > 10 AS "isIndexed",
       (SELECT count(*)::integer FROM trellis.tokens WHERE organization_id = $1 AND session_id IS NOT NULL) AS sessions,
       (SELECT count(*)::integer FROM trellis.idempotency_keys WHERE organization_id = $1 AND body LIKE '%"secret":%') AS secrets`,
    [id],
  );
  assert.deepEqual(marks, [{ isIndexed: true, sessions: 0, secrets: 0 }]);
  const { rows: contents } = await to.query<{ sha256: string }>(
    `SELECT sha256 FROM trellis.knowledge_files WHERE organization_id = $1 AND sha256 IS NOT NULL
     UNION SELECT sha256 FROM trellis.trash WHERE organization_id = $1 AND sha256 IS NOT NULL`,
    [id],
  );
  assert.ok(contents.length > 0);
  for (const { sha256 } of contents) assert.ok(await target.objects.has(id, sha256), sha256);

  const suspended = await target.call('GET', '/v1/me', { token: program.token });
  assert.equal(suspended.json.code, 'organization_suspended');
  await to.query(`UPDATE trellis.organizations SET status = 'ACTIVE' WHERE id = $1`, [id]);
  const called = await target.call('GET', '/v1/me', { token: program.token });
  assert.equal(called.status, 200, called.text);
  // A token of a person who had an account here does not act for it.
  const revoked = await target.call('GET', '/v1/me', { token: source.token });
  assert.equal(revoked.status, 401, revoked.text);
  await assertRefused(archive, /in this installation already, with the key "moved"/, 'again');
  context.diagnostic(`${imported.rows} rows`);
});

test('a copy of an organization that goes on being served has nothing that waits to be sent', async (context) => {
  await from.query(`UPDATE trellis.organizations SET status = 'ACTIVE'`);
  const { store } = await makeStore(context);
  const made = await exportFrom(source, store);
  assert.equal(made.isSuspended, false);
  const copy = await openExport(store);
  const rowsIn = (given: OrganizationArchive, name: string) =>
    given.manifest.tables.find((table) => table.name === name)?.rows ?? -1;
  const { rows } = await from.query(
    `SELECT count(*)::integer AS waiting FROM trellis.webhook_deliveries WHERE status = 'PENDING' AND organization_id = $1`,
    [source.organization.id],
  );
  assert.ok(rows[0].waiting > 0);
  assert.equal(rowsIn(archive, 'webhook_deliveries') - rowsIn(copy, 'webhook_deliveries'), rows[0].waiting);
  await assertNoEndpoint(copy);
});

async function assertNoEndpoint(copy: OrganizationArchive): Promise<void> {
  for (const [name, enabled] of [
    ['webhook_endpoints', /\tENABLED/],
    ['webhook_subscriptions', /\tt\t/],
  ] as const) {
    const table = copy.manifest.tables.find((stored) => stored.name === name);
    assert.ok(table !== undefined && table.rows > 0, name);
    let text = '';
    for await (const piece of copy.readParts(table.parts, table.bytes)) text += piece.toString();
    assert.doesNotMatch(text, enabled);
  }
}
