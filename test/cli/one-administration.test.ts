/**
 * Every change of administration that the API and the command line can both make leaves the same rows, events and versions. Two
 * organizations begin alike; each change is made in one of them by the API, and in the other by a command.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { modules } from '@trellis/schema/resources/resource.ts';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import type { Role } from '@trellis/schema/rights/permissions.ts';
import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';
import { clientCommand } from '@trellis/server/commands/client.ts';
import { organizationCommand } from '@trellis/server/commands/organization.ts';
import { serviceMemberCommand } from '@trellis/server/commands/service-member.ts';
import { tokenCommand } from '@trellis/server/commands/token.ts';
import { userCommand } from '@trellis/server/commands/user.ts';
import pg from 'pg';
import { givePassword, TestBrowser } from '../support/browser-client.ts';
import { runCommand, settingsOf } from '../support/program.ts';
import { type Json, startTestServer } from '../support/server.ts';

const server = await startTestServer();
const environment = settingsOf(server.database);
/** As a superuser, whom no policy binds. */
const admin = new pg.Client({ connectionString: server.database.adminUrl });
await admin.connect();
after(async () => {
  await admin.end();
  await server.close();
});

/** One of the two organizations. */
interface Side {
  readonly key: string;
  /** Uuid. */
  readonly id: string;
  /** Of Ada, the owner, with all scopes. */
  readonly token: string;
}

/** A change, and what has to be there before it. */
interface Change {
  readonly name: string;
  /** Made by commands and the API in both organizations alike. */
  prepare?(side: Side): Promise<unknown>;
  api(side: Side): Promise<unknown>;
  /** Who makes it by the API, if not Ada. */
  readonly actor?: string;
  /** The words of the command. */
  command(side: Side): Promise<readonly string[]>;
}

async function run(words: readonly string[]): Promise<Json> {
  const result = await runCommand([...words, '--json'], environment);
  assert.equal(result.code, 0, `${words.join(' ')}: ${result.stderr}`);
  return result.json();
}

const inside = (side: Side, line: string, ...more: string[]) =>
  run([...line.split(' '), ...more, '--organization', side.key]);

async function call({ token }: Side, method: string, path: string, body?: object): Promise<Json> {
  const response = await server.call(method, `/v1${path}`, {
    token,
    ...(body === undefined ? {} : { body }),
  });
  assert.ok(response.status < 300, `${method} ${path}: ${response.text}`);
  return response.json;
}

const roleId = (role: Role) => encodeId('role', builtInRoleIds[role]);
const emailOf = (side: Side, name: string) => `${name}@${side.key}.example`;

async function find(side: Side, resource: string, name: string): Promise<Json> {
  const { items } = await call(side, 'GET', `/${resource}?limit=100`);
  const found = items.filter((item: Json) => item.name === name);
  assert.equal(found.length, 1, `${resource} named ${name}`);
  return found[0];
}

const pathOf = async (side: Side, resource: string, name: string) =>
  `/${resource}/${(await find(side, resource, name)).id}`;

async function signIn(side: Side, name: string): Promise<TestBrowser> {
  const member = await find(side, 'members', name);
  const account = await givePassword(server.database.auth, decodeId('user', member.id) ?? '');
  const browser = new TestBrowser(server);
  const response = await browser.post('/auth/password', { email: account.email, password: account.password });
  assert.equal(response.json?.status, 'SIGNED_IN', response.text);
  await browser.enter(side.id);
  return browser;
}

const changes: readonly Change[] = [
  {
    name: 'modules of the organization',
    api: (side) =>
      call(side, 'PATCH', '/organization', { modules: modules.filter((module) => module !== 'sandbox') }),
    command: async ({ key }) => ['organization', 'modules', key, '--disable', 'sandbox'],
  },
  {
    name: 'suspending the organization',
    api: (side) => call(side, 'PATCH', '/organization', { status: 'SUSPENDED' }),
    command: async ({ key }) => ['organization', 'suspend', key],
  },
  {
    name: 'a client',
    prepare: ({ key }) => run(['organization', 'resume', key]),
    api: (side) => call(side, 'POST', '/clients', { name: 'Shop', kind: 'CLI' }),
    command: async ({ key }) => ['client', 'create', 'Shop', '--kind', 'cli', '--organization', key],
  },
  {
    name: 'a client of pages',
    prepare: (side) => call(side, 'POST', '/sites', { name: 'Pages', key: 'pages' }),
    api: async (side) =>
      call(side, 'POST', '/clients', {
        name: 'Pages',
        kind: 'BROWSER',
        siteId: (await find(side, 'sites', 'Pages')).id,
        origins: ['https://b.example', 'https://a.example'],
      }),
    command: async ({ key }) =>
      'client create Pages --kind BROWSER --site pages --origin https://b.example https://a.example --organization'
        .split(' ')
        .concat(key),
  },
  {
    name: 'origins of a client',
    api: async (side) =>
      call(side, 'PATCH', await pathOf(side, 'clients', 'Pages'), { origins: ['https://c.example'] }),
    command: async ({ key }) => [
      ...['client', 'origins', 'Pages', '--origin', 'https://c.example'],
      ...['--organization', key],
    ],
  },
  ...(['disable', 'enable'] as const).map((word) => ({
    name: `${word} a client`,
    api: async (side: Side) =>
      call(side, 'PATCH', await pathOf(side, 'clients', 'Shop'), {
        status: word === 'disable' ? 'DISABLED' : 'ACTIVE',
      }),
    command: async ({ key }: Side) => ['client', word, 'Shop', '--organization', key],
  })),
  {
    name: 'a token',
    api: async (side) =>
      call(side, 'POST', '/tokens', {
        name: 'Shop',
        clientId: (await find(side, 'clients', 'Shop')).id,
        scopes: ['sites:read', 'sites:write'],
        lifetimeDays: 30,
      }),
    command: async (side) => [
      ...['token', 'create', '--user', emailOf(side, 'ada'), '--scopes', 'sites:read', 'sites:write'],
      ...['--client', 'Shop', '--expires', '30d', '--organization', side.key],
    ],
  },
  {
    name: 'revoking a token',
    api: async (side) => call(side, 'DELETE', await pathOf(side, 'tokens', 'Shop')),
    command: async (side) => ['token', 'revoke', (await find(side, 'tokens', 'Shop')).id],
  },
  {
    name: 'a service member',
    api: async (side) =>
      call(side, 'POST', '/members', {
        name: 'Import',
        roleId: roleId('EDITOR'),
        responsibleUserId: (await find(side, 'members', 'ada')).id,
      }),
    command: async (side) => [
      ...['service-member', 'create', 'Import', '--role', 'EDITOR', '--responsible', emailOf(side, 'ada')],
      ...['--organization', side.key],
    ],
  },
  {
    name: 'a token of a service member that never expires, for both interfaces',
    api: async (side) =>
      call(side, 'POST', '/tokens', {
        name: 'Shop',
        clientId: (await find(side, 'clients', 'Shop')).id,
        userId: (await find(side, 'members', 'Import')).id,
        scopes: ['sites:read'],
        resources: ['api', 'sandbox'],
        neverExpires: true,
      }),
    command: async ({ key }) => [
      ...['token', 'create', '--service-member', 'Import', '--scopes', 'sites:read', '--client', 'Shop'],
      ...['--resource', 'api', 'sandbox', '--expires', 'never', '--organization', key],
    ],
  },
  {
    name: 'joining',
    actor: 'ben',
    async prepare(side) {
      await call(side, 'POST', '/roles', { key: 'newsroom', name: 'Newsroom' });
    },
    async api(side) {
      const role = await find(side, 'roles', 'Newsroom');
      const { link } = await call(side, 'POST', '/invitations', {
        email: emailOf(side, 'ben'),
        roleId: role.id,
      });
      const accepted = await server.call('POST', '/auth/invitations/accept-with-new-account', {
        token: null,
        key: null,
        headers: { 'sec-fetch-site': 'same-origin' },
        body: { link: link.split('#')[1], name: 'ben', password: 'eleven distant foghorns' },
      });
      assert.equal(accepted.status, 200, accepted.text);
    },
    command: async (side) => [
      ...['user', 'create', emailOf(side, 'ben'), '--role', 'newsroom', '--name', 'ben'],
      ...['--organization', side.key],
    ],
  },
  {
    name: 'who is responsible for a service member',
    api: async (side) =>
      call(side, 'PATCH', await pathOf(side, 'members', 'Import'), {
        responsibleUserId: (await find(side, 'members', 'ben')).id,
      }),
    command: async (side) => [
      ...['service-member', 'responsible', 'Import', emailOf(side, 'ben')],
      ...['--organization', side.key],
    ],
  },
  {
    name: 'the role of a person',
    api: async (side) =>
      call(side, 'PATCH', await pathOf(side, 'members', 'ben'), { roleId: roleId('AUTHOR') }),
    command: async (side) => [
      ...['user', 'role', emailOf(side, 'ben'), 'AUTHOR', '--organization', side.key],
    ],
  },
  {
    name: 'the role of a service member',
    api: async (side) =>
      call(side, 'PATCH', await pathOf(side, 'members', 'Import'), { roleId: roleId('VIEWER') }),
    command: async (side) => [
      ...['user', 'role', (await find(side, 'members', 'Import')).id, 'VIEWER', '--organization', side.key],
    ],
  },
  {
    name: 'removing a service member, with a token that was renamed',
    prepare: async (side) => call(side, 'PATCH', await pathOf(side, 'tokens', 'Shop'), { name: 'Renamed' }),
    api: async (side) => call(side, 'DELETE', await pathOf(side, 'members', 'Import')),
    command: async (side) => [
      ...['user', 'remove', (await find(side, 'members', 'Import')).id, '--organization', side.key],
    ],
  },
  {
    name: 'ending a session',
    async prepare(side) {
      await inside(side, 'user create', emailOf(side, 'cat'), '--role', 'EDITOR', '--name', 'cat');
      await signIn(side, 'cat');
    },
    async api(side) {
      const { items } = await call(side, 'GET', '/sessions');
      assert.equal(items.length, 1);
      await call(side, 'DELETE', `/sessions/${items[0].id}`);
    },
    async command(side) {
      const tokens: Json[] = await inside(side, 'token list');
      const ofCat = tokens.filter(({ user }) => user === emailOf(side, 'cat'));
      assert.equal(ofCat.length, 1);
      return ['token', 'revoke', ofCat[0].id];
    },
  },
  {
    name: 'removing a person with a session, a token, and one that they made for a service member',
    async prepare(side) {
      const email = emailOf(side, 'dan');
      await inside(side, 'user create', email, '--role', 'ADMIN', '--name', 'dan');
      const responsible = ['--responsible', emailOf(side, 'ada')];
      await inside(side, 'service-member create Export --role VIEWER', ...responsible);
      const create = 'token create --client Shop --all-scopes --user';
      const { token } = await inside(side, create, email);
      const tokenPath = await pathOf(side, 'tokens', 'Shop');
      await call(side, 'PATCH', tokenPath, { name: "Dan's" });
      await call(side, 'PATCH', tokenPath, { name: 'Of Dan' });
      await call({ ...side, token }, 'POST', '/tokens', {
        name: 'By Dan',
        clientId: (await find(side, 'clients', 'Shop')).id,
        userId: (await find(side, 'members', 'Export')).id,
        scopes: ['sites:read'],
      });
      await signIn(side, 'dan');
    },
    api: async (side) => call(side, 'DELETE', await pathOf(side, 'members', 'dan')),
    command: async (side) => ['user', 'remove', emailOf(side, 'dan'), '--organization', side.key],
  },
];

/** Commands that change nothing, or what the API does not. */
const otherCommands: Readonly<Record<string, string>> = {
  'organization create': 'Operators alone make organizations.',
  'organization resume': 'A suspended organization refuses all calls, so operators alone end that.',
  'organization list': 'Reads.',
  'organization export': 'Reads; what --suspend does is "organization suspend".',
  'organization import': 'Brings the rows of another installation, with their events.',
  'client list': 'Reads.',
  'token list': 'Reads.',
  'user list': 'Reads.',
  'user disable': 'Disables a user in all organizations.',
  'user enable': 'Enables a user in all organizations.',
  'user sign-in-link': 'Makes a link, which is no record.',
};

async function makeSide(key: string): Promise<Side> {
  const { id } = await run(['organization', 'create', key, '--name', 'Press']);
  const side = { key, id: decodeId('org', id) ?? '', token: '' };
  await inside(side, 'user create', emailOf(side, 'ada'), '--role', 'OWNER', '--name', 'ada');
  const create = ['--all-scopes', '--resource', 'api', 'sandbox', '--client', 'Test'];
  const { token } = await inside(side, 'token create --user', emailOf(side, 'ada'), ...create);
  return { ...side, token };
}

/** The rows of administration of an organization. When a token was last used is written some time after the use, and changes no version. */
const rowsOf = `
  SELECT 'organization' AS kind, id, to_jsonb(o) AS row FROM trellis.organizations o WHERE id = $1
  UNION ALL SELECT 'member', user_id, to_jsonb(m) FROM trellis.memberships m WHERE organization_id = $1
  UNION ALL SELECT 'user', u.id, jsonb_build_object('name', u.name, 'status', u.status) FROM trellis.users u WHERE service_of = $1
  UNION ALL SELECT 'client', id, to_jsonb(c) FROM trellis.clients c WHERE organization_id = $1
  UNION ALL SELECT 'key', client_id, to_jsonb(k) FROM trellis.publishable_keys k WHERE organization_id = $1
  UNION ALL SELECT 'origin', client_id, to_jsonb(g) FROM trellis.publishable_key_origins g WHERE organization_id = $1
  UNION ALL SELECT 'token', id, to_jsonb(t) - 'last_used_at' || jsonb_build_object('lifetime', CASE WHEN session_id IS NULL THEN expires_at - created_at END) FROM trellis.tokens t WHERE organization_id = $1`;

interface Found {
  readonly kind: string;
  readonly id: string;
  readonly row: Json;
}

async function read(side: Side): Promise<Map<string, Found>> {
  const { rows } = await admin.query<Found>(rowsOf, [side.id]);
  return new Map(rows.map((found) => [`${found.kind} ${found.id}`, found]));
}

/** What differs between two like organizations: secrets, who has made a change, and instants, but not whether there are any. */
const different = /^(secret_hash|start|key|created_by|updated_by)$/;
const isInstant = /_at$/;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Texts without what differs, sorted; ids become what is found by them. */
async function alike(side: Side, values: readonly unknown[]): Promise<string[]> {
  const { rows } = await admin.query<{ id: string; name: string }>(
    `SELECT id, 'user ' || name AS name FROM trellis.users UNION ALL SELECT id, 'client ' || name FROM trellis.clients
     UNION ALL SELECT id, 'role ' || key FROM trellis.roles UNION ALL SELECT id, 'token ' || name FROM trellis.tokens WHERE name IS NOT NULL
     UNION ALL SELECT id, 'site ' || key FROM trellis.sites UNION ALL SELECT id, 'organization' FROM trellis.organizations`,
  );
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return values
    .map((value) =>
      JSON.stringify(value, (key, inner) => {
        if (different.test(key)) return undefined;
        return isInstant.test(key) ? inner !== null : inner;
      }),
    )
    .map((text) => text.replaceAll(uuid, (id) => names.get(id) ?? 'another id').replaceAll(side.key, 'KEY'))
    .sort();
}

interface StoredEvent {
  readonly type: string;
  readonly subject_type: string;
  readonly subject_id: string;
  readonly subject_version: number;
  readonly changed_fields: readonly string[];
  readonly readers: readonly string[] | null;
  readonly actor_user_id: string | null;
  readonly occurred_at: Date;
}

/** The events since the last call, except those of invitations, which commands do not make. */
async function takeEvents(side: Side): Promise<StoredEvent[]> {
  const { rows } = await admin.query<StoredEvent>(
    `WITH gone AS (DELETE FROM trellis.outbox WHERE organization_id = $1 RETURNING *)
     SELECT * FROM gone WHERE subject_type <> 'invitation' ORDER BY occurred_at, id`,
    [side.id],
  );
  return rows;
}

/** Ada has changed everything on a node whose clock is ahead: its last change is in the future here. */
async function changeAhead(side: Side): Promise<void> {
  const ada = await userIdOf(side, 'ada');
  for (const [table, column] of [
    ['organizations', 'id'],
    ['memberships', 'organization_id'],
    ['clients', 'organization_id'],
    ['tokens', 'organization_id'],
  ])
    await admin.query(
      `UPDATE trellis.${table} SET updated_at = now() + interval '1 hour', updated_by = $2 WHERE ${column} = $1`,
      [side.id, ada],
    );
}

/**
 * Makes a change, and checks it by itself.
 * @param actor name of who makes it; null: an operator
 * @returns what the other way must leave as well
 */
async function make(side: Side, actor: string | null, act: () => Promise<unknown>) {
  await changeAhead(side);
  const before = await read(side);
  await takeEvents(side);
  await act();
  const now = await read(side);
  const events = await takeEvents(side);
  assert.notEqual(events.length, 0);
  const actorId = actor === null ? null : await userIdOf(side, actor);
  for (const [key, { kind, row }] of now) {
    const old = before.get(key)?.row;
    const isRevoked = kind === 'token' && row.revoked_at !== null;
    if (row.version === undefined || JSON.stringify(old) === JSON.stringify(row) || isRevoked) continue;
    assert.equal(row.version, (old?.version ?? 0) + 1, `version of ${key}`);
    if (old === undefined) {
      // By the API everything is made by Ada, who has sent the invitation too.
      const creator = actor === null ? null : await userIdOf(side, 'ada');
      assert.deepEqual([row.created_by, row.updated_by], [creator, creator], `who made ${key}`);
      assert.equal(row.created_at, row.updated_at, `instants of ${key}`);
      continue;
    }
    assert.ok(row.updated_at >= old.updated_at, `${key}: ${row.updated_at} is before ${old.updated_at}`);
    assert.equal(row.updated_by, actorId, `who changed ${key}`);
  }
  for (const event of events) {
    const key = `${event.subject_type} ${event.subject_id}`;
    const [old, row] = [before.get(key)?.row, now.get(key)?.row];
    assert.equal(event.actor_user_id, actorId, `actor of ${event.type}`);
    // Sessions have no versions.
    const version = event.subject_type === 'session' ? 1 : (row?.version ?? old?.version + 1);
    assert.equal(event.subject_version, version, `data.version of ${event.type}`);
    if (row !== undefined && row.revoked_at == null)
      assert.equal(event.occurred_at.getTime(), Date.parse(row.updated_at), `time of ${event.type}`);
  }
  const logged = events.map(({ type, subject_id, subject_version, changed_fields, readers }) => ({
    ...{ type, subject_id, subject_version, changed_fields, readers },
  }));
  const rows = [...now.values()].map(({ row }) => row);
  return { rows: await alike(side, rows), events: await alike(side, logged) };
}

async function userIdOf(side: Side, name: string): Promise<string> {
  const { rows } = await admin.query<{ id: string }>('SELECT id FROM trellis.users WHERE email = $1', [
    emailOf(side, name),
  ]);
  return rows[0]?.id ?? '';
}

const byApi = await makeSide('by-api');
const byCommand = await makeSide('by-command');
const compared = new Set<string>();

for (const { name, prepare, api, command, actor = 'ada' } of changes) {
  test(`${name}: the same row, event and version by API and by command`, async () => {
    for (const side of [byApi, byCommand]) await prepare?.(side);
    const words = await command(byCommand);
    compared.add(words.slice(0, 2).join(' '));
    const made = await make(byCommand, null, () => run(words));
    assert.deepEqual(made, await make(byApi, actor, () => api(byApi)));
  });
}

test('every command of administration is compared, or has a reason not to be', () => {
  const context = { environment, stdout: () => undefined, stderr: () => undefined, isTerminal: false };
  const groups = [clientCommand, organizationCommand, serviceMemberCommand, tokenCommand, userCommand];
  const commands = groups.flatMap((group) => {
    const made = group(context);
    return made.commands.map((inner) => `${made.name()} ${inner.name()}`);
  });
  assert.deepEqual(commands.sort(), [...compared, ...Object.keys(otherCommands)].sort());
});
