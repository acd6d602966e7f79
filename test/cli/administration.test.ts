/** The commands for organizations, users, clients and tokens, run by hand and repeatedly by scripts. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { givePassword, TestBrowser } from '../support/browser-client.ts';
import { type ProgramResult, runCommand, runProgram, settingsOf } from '../support/program.ts';
import { expectProblem } from '../support/refusals.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { identify } from '../support/visitors.ts';

let server: TestServer;
let environment: Record<string, string>;
before(async () => {
  server = await startTestServer();
  environment = settingsOf(server.database);
});
after(() => server.close());

function trellis(line: string, ...words: string[]): Promise<ProgramResult> {
  return runCommand([...line.split(' '), ...words], environment);
}

async function succeed(line: string, ...words: string[]): Promise<ProgramResult> {
  const result = await trellis(line, ...words);
  assert.equal(result.code, 0, result.stderr);
  return result;
}

/** Expects a command to fail with an exit code and a message, without a stack trace or standard output. */
async function fail(code: 1 | 2, message: RegExp, line: string, ...words: string[]): Promise<void> {
  const result = await trellis(line, ...words);
  assert.equal(result.code, code, `${result.stdout}${result.stderr}`);
  assert.match(result.stderr, message);
  assert.doesNotMatch(result.stderr, /\n\s+at /);
  assert.equal(result.stdout, '');
}

test('creating an organization, a user and a token works, and can be repeated', async () => {
  const create = 'organization create acme --json';
  const organization = (await succeed(create, '--name', 'Acme')).json();
  assert.match(organization.id, /^org_[0-9a-z]{26}$/);
  assert.equal(organization.name, 'Acme');
  assert.deepEqual((await succeed(create, '--name', 'Acme')).json(), organization);
  assert.deepEqual((await succeed(create)).json(), organization);
  await fail(1, /exists already, with the name "Acme"/, create, '--name', 'Other');

  const createUser = 'user create Ada@Example.org --organization acme --role EDITOR --json';
  const user = (await succeed(createUser)).json();
  assert.deepEqual([user.email, user.role, user.organization], ['Ada@Example.org', 'EDITOR', 'acme']);
  assert.deepEqual((await succeed(createUser)).json(), user);
  await fail(1, /trellis user role/, 'user create ada@example.org --organization acme --role VIEWER');

  const createToken = 'token create --organization acme --user ada@EXAMPLE.org --json --scopes';
  const made = (await succeed(createToken, 'sites:read sites:write')).json();
  assert.deepEqual(Object.keys(made).slice(0, 2), ['token', 'id']);
  assert.match(made.token, /^trl_pat_[0-9A-Za-z]{62}$/);
  const lifeDays = (Date.parse(made.expiresAt) - Date.parse(made.createdAt)) / 86_400_000;
  assert.equal(lifeDays, 90);

  const site = await server.call('POST', '/v1/sites', {
    token: made.token,
    body: { name: 'Acme', key: 'acme' },
  });
  assert.equal(site.status, 201, site.text);
  const articles = await server.call('GET', `/v1/sites/${site.json.id}/articles`, { token: made.token });
  assert.equal(articles.json.code, 'insufficient_scope');
});

test('tokens name their organization, and so do publishable keys', async () => {
  const { id } = (await succeed('organization create named --name Named --json')).json();
  await succeed('user create nia@example.org --organization named --role OWNER');
  const { token } = (
    await succeed('token create --organization named --user nia@example.org --all-scopes --json')
  ).json();
  const named = `[0-9A-Za-z]{30}${id.slice('org_'.length)}[0-9A-Za-z]{6}$`;
  assert.match(token, new RegExp(`^trl_pat_${named}`));
  const site = await server.call('POST', '/v1/sites', { token, body: { name: 'Named', key: 'named' } });
  assert.equal(site.status, 201, site.text);
  const client = `--site ${site.json.id} --origin https://named.example`;
  const made = (
    await succeed(`client create Website --organization named --kind BROWSER ${client} --json`)
  ).json();
  assert.match(made.publishableKey, new RegExp(`^trl_pk_${named}`));
  const revoked = (await succeed(`token revoke ${token} --json`)).json();
  assert.notEqual(revoked.revokedAt, null);
});

test('a revoked token, a changed role, a disabled client, a module and a suspension take effect on the next write', async () => {
  await succeed('organization create bite');
  await succeed('user create eve@example.org --organization bite --role OWNER');
  await fail(1, /last active owner/, 'user role eve@example.org viewer --organization bite');
  // An organization keeps an owner, so eve's role can change only beside another one.
  await succeed('user create finn@example.org --organization bite --role OWNER');
  const tokenLine =
    'token create --organization bite --user eve@example.org --all-scopes --client Shop --json';
  const write = async (token: string) => {
    const body = { name: 'Site', key: `site-${Math.random().toString(36).slice(2)}` };
    const { status, json } = await server.call('POST', '/v1/sites', { token, body });
    return status === 201 ? 'written' : json.code;
  };
  const first = (await succeed(tokenLine)).json();
  const second = (await succeed(tokenLine)).json();
  assert.equal(await write(first.token), 'written');

  const revoked = (await succeed(`token revoke ${first.id} --json`)).json();
  assert.notEqual(revoked.revokedAt, null);
  const again = (await succeed(`token revoke ${first.id} --json`)).json();
  // The last use is stored in the background.
  assert.deepEqual({ ...again, lastUsedAt: null }, { ...revoked, lastUsedAt: null });
  assert.equal(await write(first.token), 'token_invalid');

  await succeed('user role eve@example.org viewer --organization bite');
  assert.equal(await write(second.token), 'permission_denied');
  await succeed('user role eve@example.org owner --organization bite');
  assert.equal(await write(second.token), 'written');

  await succeed('organization modules bite --disable cms');
  assert.equal(await write(second.token), 'module_disabled');
  await succeed('organization modules bite --enable cms');
  assert.equal(await write(second.token), 'written');

  await succeed('client disable Shop --organization bite');
  assert.equal(await write(second.token), 'token_invalid');
  await succeed('client enable Shop --organization bite');
  assert.equal(await write(second.token), 'written');

  await succeed('organization suspend bite');
  assert.equal(await write(second.token), 'organization_suspended');
  await succeed('organization resume bite');
  assert.equal(await write(second.token), 'written');

  await succeed('user remove eve@example.org --organization bite');
  assert.equal(await write(second.token), 'token_invalid');

  const byItself = (await succeed(`token revoke ${second.token} --json`)).json();
  assert.equal(byItself.id, second.id);
});

test('a user who is disabled in the installation can do nothing from the next write on, and is told of in every organization', async () => {
  await succeed('organization create north');
  await succeed('organization create south');
  for (const organization of ['north', 'south'])
    await succeed(`user create gil@example.org --organization ${organization} --role OWNER`);
  await succeed('user create hal@example.org --organization north --role OWNER');
  const token = async (key: string, email: string) =>
    (
      await succeed(`token create --organization ${key} --user ${email} --all-scopes --client Shop --json`)
    ).json().token;
  const [north, south] = [await token('north', 'gil@example.org'), await token('south', 'gil@example.org')];
  const codeOf = async (used: string) => {
    const body = { name: 'Site', key: `site-${Math.random().toString(36).slice(2)}` };
    const { status, json } = await server.call('POST', '/v1/sites', { token: used, body });
    return status === 201 ? 'written' : json.code;
  };
  const { auth, worker } = server.database;
  const [row] = await auth.run(`SELECT id FROM trellis.users WHERE email = 'gil@example.org'`);
  const gil = await givePassword(auth, row?.[0] ?? '');
  const browser = new TestBrowser(server);
  const signIn = () => browser.post('/auth/password', { email: gil.email, password: gil.password });
  assert.equal((await signIn()).status, 200);
  const { link } = (await succeed('user sign-in-link gil@example.org --json')).json();

  const disabled = await succeed('user disable Gil@example.org --json');
  assert.deepEqual(disabled.json(), {
    id: encodeId('user', gil.userId),
    email: 'gil@example.org',
    name: 'gil@example.org',
    status: 'DISABLED',
    organizations: ['north', 'south'],
    withoutOwner: ['south'],
  });
  assert.match(disabled.stderr, /"south" has no active owner now/);
  assert.equal(await codeOf(north), 'token_invalid');
  assert.equal(await codeOf(south), 'token_invalid');
  expectProblem(await browser.get('/auth/session'), 401, 'session_invalid');
  expectProblem(await signIn(), 401, 'sign_in_failed');
  await fail(1, /no active user/, 'user sign-in-link gil@example.org');
  assert.deepEqual((await succeed('user disable gil@example.org --json')).json(), disabled.json());
  const list = (await succeed('user list --organization north --json')).json();
  assert.deepEqual(
    list.map(({ email, status }: Record<string, string>) => [email, status]),
    [
      ['gil@example.org', 'DISABLED'],
      ['hal@example.org', 'ACTIVE'],
    ],
  );

  const enabled = (await succeed('user enable gil@example.org --json')).json();
  assert.deepEqual([enabled.status, enabled.withoutOwner], ['ACTIVE', []]);
  await succeed('user enable gil@example.org');
  assert.equal(await codeOf(north), 'written');
  expectProblem(await browser.get('/auth/session'), 401, 'session_invalid');
  const old = await browser.post('/auth/links/redeem', { link: link.split('#')[1] });
  expectProblem(old, 410, 'link_invalid');
  assert.equal((await signIn()).status, 200);
  const logged = await worker.run(
    `SELECT o.key, e.type, e.actor_user_id FROM trellis.outbox e JOIN trellis.organizations o ON o.id = e.organization_id
     WHERE e.subject_id = $1 AND e.type LIKE 'member.account%' ORDER BY o.key, e.type`,
    [gil.userId],
  );
  assert.deepEqual(
    logged,
    ['north', 'south'].flatMap((key) => [
      [key, 'member.account_disabled', null],
      [key, 'member.account_enabled', null],
    ]),
  );
  await fail(
    1,
    /There is no user gill@example.org.*Did you mean "gil@example.org"/,
    'user disable gill@example.org',
  );
});

test('a token is for the interfaces it was made for', async () => {
  await succeed('organization create audience');
  await succeed('user create sam@example.org --organization audience --role OWNER');
  const line = 'token create --organization audience --user sam@example.org --all-scopes --json --resource';
  const sandbox = (await succeed(line, 'sandbox')).json();
  const both = (await succeed(line, 'api', 'sandbox', '--expires', 'never')).json();
  assert.equal(both.expiresAt, null);
  const status = async (token: string, path: string) => (await server.call('GET', path, { token })).status;
  assert.equal(await status(sandbox.token, '/sandbox/plants'), 200);
  assert.equal(await status(sandbox.token, '/v1/sites'), 401);
  assert.equal(await status(both.token, '/sandbox/plants'), 200);
  assert.equal(await status(both.token, '/v1/sites'), 200);
});

test('a role that the organization has made is given by its key, and shown with its name', async () => {
  const { json: organization } = await server.call('GET', '/v1/organization');
  const of = `--organization ${organization.key}`;
  const made = await server.call('POST', '/v1/roles', { body: { key: 'newsroom', name: 'Newsroom' } });
  assert.equal(made.status, 201, made.text);
  const user = (await succeed(`user create ned@example.org ${of} --role Newsroom --json`)).json();
  assert.deepEqual([user.role, user.roleName], ['newsroom', 'Newsroom']);
  const member = await server.call('GET', `/v1/members/${user.id}`);
  assert.equal(member.json.roleId, made.json.id);
  assert.match((await succeed(`user list ${of}`)).stdout, /ned@example\.org .*newsroom +Newsroom/);
  const changed = (await succeed(`user role ned@example.org viewer ${of} --json`)).json();
  assert.deepEqual([changed.role, changed.roleName], ['VIEWER', 'Viewer']);
  await succeed(`user role ned@example.org newsroom ${of}`);
  await fail(1, /Did you mean "newsroom"/, `user role ned@example.org newsrom ${of}`);
  await fail(
    1,
    /The role must be one of OWNER, ADMIN, EDITOR, AUTHOR, VIEWER, newsroom/,
    `user create x@example.org ${of} --role boss`,
  );
  // A key that differs from a built-in one by its letter case only.
  await succeed(`user role ned@example.org editor ${of}`);
  const own = await server.call('POST', '/v1/roles', { body: { key: 'editor', name: 'Own editor' } });
  assert.equal(own.status, 201, own.text);
  const roleOf = async (role: string) =>
    (await succeed(`user role ned@example.org ${role} ${of} --json`)).json().roleName;
  assert.equal(await roleOf('editor'), 'Own editor');
  assert.equal(await roleOf('EDITOR'), 'Editor');
  await fail(1, /"Editor" may be EDITOR or editor/, `user role ned@example.org Editor ${of}`);
  await fail(1, /already, with the role EDITOR/, `user create ned@example.org ${of} --role editor`);
  const created = (await succeed(`user create nora@example.org ${of} --role editor --json`)).json();
  assert.deepEqual([created.role, created.roleName], ['editor', 'Own editor']);
});

test('lists are tables, or JSON with --json', async () => {
  await succeed('organization create listed --modules cms crm');
  await succeed('user create lin@example.org --organization listed --role AUTHOR');
  await succeed('client create Site --organization listed --kind console');
  const table = (await succeed('organization list')).stdout;
  assert.match(table, /^key +name +status/);
  assert.match(table, /^listed +listed +ACTIVE +cms crm/m);
  const users = (await succeed('user list --organization listed --json')).json();
  assert.deepEqual(
    users.map(({ email, role }: { email: string; role: string }) => [email, role]),
    [['lin@example.org', 'AUTHOR']],
  );
  const clients = (await succeed('client list --organization listed --json')).json();
  assert.equal(clients[0].kind, 'CONSOLE');
  assert.equal(clients[0].publishableKey, null);
  const tokens = (await succeed('token list --organization listed --json')).json();
  assert.deepEqual(tokens, []);
});

test("a website's publishable key is shown again, bound to its origins, and disabled with its client", async () => {
  await succeed('organization create pages');
  await succeed('user create pat@example.org --organization pages --role OWNER');
  const token = (
    await succeed('token create --organization pages --user pat@example.org --all-scopes --json')
  ).json().token;
  const site = await server.call('POST', '/v1/sites', { token, body: { name: 'Pages', key: 'pages' } });
  assert.equal(site.status, 201, site.text);
  const origin = 'https://www.example.com';
  const line = 'client create Website --organization pages --kind BROWSER --json';
  const made = (
    await succeed(line, '--site', 'pages', '--origin', origin, '--origin', `${origin}:8443`)
  ).json();
  assert.match(made.publishableKey, /^trl_pk_[0-9A-Za-z]{62}$/);
  assert.equal(made.siteId, site.json.id);
  assert.deepEqual(made.origins, [origin, `${origin}:8443`]);
  const again = await succeed(line, '--site', site.json.id, '--origin', `${origin}:8443`, origin);
  assert.deepEqual(again.json(), made);
  const shown = (await succeed('client list --organization pages --json')).json();
  assert.deepEqual(
    shown.find(({ id }: { id: string }) => id === made.id),
    made,
  );
  assert.equal((await identify(server, made.publishableKey)).status, 200);

  await succeed(`client origins Website --organization pages --origin https://other.example`);
  expectProblem(await identify(server, made.publishableKey), 403, 'origin_not_allowed');
  await succeed(`client origins Website --organization pages --origin ${origin}`);
  assert.equal((await identify(server, made.publishableKey)).status, 200);
  await succeed('client disable Website --organization pages');
  expectProblem(await identify(server, made.publishableKey), 401, 'token_invalid');

  await fail(1, /Did you mean "pages"/, line, '--site', 'page', '--origin', origin);
  await fail(1, /is not an origin/, line, '--site', 'pages', '--origin', 'https://*.example.com');
  await fail(2, /requires --site KEY and --origin/, line);
  await fail(2, /require --kind BROWSER/, 'client create Shop --organization pages --origin', origin);
  const tokenLine = 'token create --organization pages --user pat@example.org --all-scopes --client Website';
  await succeed('client enable Website --organization pages');
  await fail(1, /A client of the kind BROWSER has no tokens/, tokenLine);
});

test('a misspelled command or option suggests the right one', async () => {
  await succeed('organization create words');
  await succeed('user create wil@example.org --organization words --role EDITOR');
  await fail(1, /Did you mean "words"/, 'organization suspend word');
  await fail(1, /Did you mean "wil@example.org"/, 'user remove will@example.org --organization words');
  await fail(1, /one of OWNER, ADMIN/, 'user create a@example.org --organization words --role BOSS');
  await fail(1, /is not an e-mail address/, 'user create nobody --organization words --role EDITOR');
  await fail(1, /lower-case letters/, 'organization create Not_A_Key');
  await fail(1, /no module "cmss"/, 'organization modules words --enable cmss');
  const token = 'token create --organization words --user wil@example.org';
  await fail(1, /Did you mean "articles:read"/, `${token} --scopes article:read`);
  await fail(1, /at least one scope/, token);
  await fail(2, /either --scopes or --all-scopes/, `${token} --all-scopes --scopes articles:read`);
  await fail(2, /--expires must be a duration/, `${token} --all-scopes --expires soon`);
  await fail(2, /--expires must be a duration/, `${token} --all-scopes --expires 366d`);
  await fail(2, /--resource must be api or sandbox/, `${token} --all-scopes --resource all`);
  await fail(
    2,
    /is given to both --enable and --disable/,
    'organization modules words --enable cms --disable cms',
  );
  await fail(2, /required option '--organization/, 'token create --user x@example.org');
  await fail(2, /unknown command 'tokne'.*Did you mean token/s, 'tokne');
  await fail(
    2,
    /unknown option '--organisation'.*Did you mean --organization/s,
    'user list --organisation words',
  );
  await fail(1, /no token with that id/, 'token revoke token_00000000000000000000000000');
});

test('the help of every command and subcommand has an example', async () => {
  const groups: string[] = [];
  const walk = async (path: string): Promise<void> => {
    const { stdout } = await succeed(`${path} --help`.trimStart());
    const listed = /\nCommands:\n(.*?)\n(?:\n|$)/s.exec(stdout)?.[1] ?? '';
    const names = [...listed.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name);
    const inner = names.filter((name) => name !== 'help');
    if (path !== '') {
      const example = /\nExample:\n {2}(.*)\n/.exec(stdout)?.[1] ?? '';
      assert.match(example, new RegExp(`trellis ${path}( |$)`), path);
      if (inner.length > 0) groups.push(path);
    }
    await Promise.all(inner.map((name) => walk(`${path} ${name}`.trimStart())));
  };
  await walk('');
  assert.deepEqual(groups.sort(), [
    'client',
    'database',
    'events',
    'organization',
    'token',
    'user',
    'webhooks',
  ]);
});

test('all configuration faults are listed at once, with the nearest name for each', async () => {
  environment = { ...environment, TRELLIS_DATABSE_PREPARE: 'on', PORT: 'many', TRELLIS_LOG_LEVEL: 'loud' };
  try {
    await fail(2, /3 faults/, 'organization list');
    await fail(2, /Did you mean TRELLIS_DATABASE_PREPARE/, 'organization list');
  } finally {
    environment = settingsOf(server.database);
  }
});

test('without the worker role a command names the missing setting', async () => {
  const { TRELLIS_DATABASE_WORKER_URL: _, ...rest } = environment;
  const result = await runCommand(['organization', 'list'], rest);
  assert.equal(result.code, 1);
  assert.match(result.stderr, /TRELLIS_DATABASE_WORKER_URL/);
});

test('a database that cannot be reached is said in words', async () => {
  for (const [host, words] of [
    [
      '127.0.0.1:1',
      /^Cannot connect: nothing accepts connections there \(connect ECONNREFUSED 127.0.0.1:1\)/,
    ],
    ['nowhere.invalid', /^Cannot connect: the name of the host is not known/],
  ] as const) {
    const admin = ['--admin-url', `postgres://postgres@${host}/postgres`];
    const result = await runCommand(['database', 'setup', ...admin], environment);
    assert.equal(result.code, 1);
    assert.match(result.stderr, words);
  }
});

test('the process has the same output and exit codes as the commands that are tested above', async () => {
  await succeed('organization create process');
  for (const [line, code] of [
    ['organization list', 0],
    ['organization list --json', 0],
    ['organization suspend proces', 1],
    ['organization list --organisation process', 2],
    ['--help', 0],
  ] as const) {
    const words = line.split(' ');
    const [alone, here] = await Promise.all([runProgram(words, environment), runCommand(words, environment)]);
    assert.equal(alone.code, code, alone.stderr);
    assert.deepEqual({ ...alone, json: null }, { ...here, json: null });
  }
});

test('a service member is created, gets a token and a role, and somebody else is responsible for it', async () => {
  await succeed('organization create press');
  await succeed('user create ada@press.example --organization press --role OWNER');
  await succeed('user create ben@press.example --organization press --role OWNER');
  const create = 'service-member create Import --organization press --role EDITOR --json --responsible';
  const made = (await succeed(create, 'ada@press.example')).json();
  assert.deepEqual(
    [made.name, made.kind, made.email, made.role, made.responsible],
    ['Import', 'SERVICE', null, 'EDITOR', 'ada@press.example'],
  );
  assert.deepEqual((await succeed(create, 'ada@press.example')).json(), made);
  await fail(1, /exists already/, create, 'ben@press.example');
  await fail(1, /is not a member/, create, 'nobody@press.example');
  await fail(1, /A person is responsible/, create, made.id);

  const createToken = 'token create --organization press --json --scopes sites:write';
  const { token, ...record } = (await succeed(`${createToken} --service-member Import`)).json();
  assert.deepEqual([record.user, record.serviceMember], [null, 'Import']);
  const write = async () => {
    const body = { name: 'Site', key: `site-${Math.random().toString(36).slice(2)}` };
    const { status, json } = await server.call('POST', '/v1/sites', { token, body });
    return status === 201 ? json.createdBy : json.code;
  };
  assert.equal(await write(), made.id);
  await succeed(`user role ${made.id} VIEWER --organization press`);
  assert.equal(await write(), 'permission_denied');

  await fail(1, /Is responsible for 1 service member/, 'user remove ada@press.example --organization press');
  const moved = await succeed(
    'service-member responsible Import ben@press.example --organization press --json',
  );
  assert.equal(moved.json().responsible, 'ben@press.example');
  await succeed('user remove ada@press.example --organization press');
  await fail(1, /does not sign in/, `user sign-in-link ${made.id}`);
  await fail(2, /either --user or --service-member/, createToken);
  const listed = (await succeed('user list --organization press --json')).json();
  assert.deepEqual(
    listed.map(({ kind }: { kind: string }) => kind),
    ['PERSON', 'SERVICE'],
  );
  await succeed(`user remove ${made.id} --organization press`);
  assert.equal(await write(), 'token_invalid');
});

test('the last active client of the console stays', async () => {
  await succeed('organization create screen');
  await fail(1, /last active client of the kind CONSOLE/, 'client disable Console --organization screen');
  await succeed('client create Second --kind CONSOLE --organization screen');
  await succeed('client disable Console --organization screen');
  await fail(1, /last active client of the kind CONSOLE/, 'client disable Second --organization screen');
});
