/**
 * Members of one organization who try what they may not do themselves by a detour: a token, a client, a role, an invitation, a view, an
 * import or a webhook of somebody else. Random changes of rights happen meanwhile. What each may do follows from a small model, written
 * from the specification: what it refuses is refused and changes nothing, and what it permits works.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { AddressGuard } from '@trellis/server/webhooks/address-guard.ts';
import { createMember, createToken } from '../support/identities.ts';
import { chooseSeed, seededNumbers } from '../support/seed.ts';
import { type Json, startTestServer } from '../support/server.ts';
import { amount } from '../support/soak.ts';
import { sealer } from '../support/webhooks.ts';
import { succeed, write } from '../support/writes.ts';

const rounds = amount(2, 15);
const server = await startTestServer({
  webhooks: { guard: new AddressGuard({ allowPrivate: ['127.0.0.0/8'] }), sealer },
});
const { worker } = server.database;
after(() => server.close());

/** The rights that the detours are about. */
type Right =
  | 'organization'
  | 'people'
  | 'webhooks'
  | 'share views'
  | 'read'
  | 'read contacts'
  | 'write contacts';
const reader: Right[] = ['read', 'read contacts'];
const editor: Right[] = [...reader, 'write contacts', 'share views'];
const admin: Right[] = [...editor, 'people', 'webhooks'];
const rightsOf = new Map<string, ReadonlySet<Right>>([
  ['OWNER', new Set<Right>([...admin, 'organization'])],
  ['ADMIN', new Set(admin)],
  ['EDITOR', new Set(editor)],
  ['AUTHOR', new Set(reader)],
  ['VIEWER', new Set(reader)],
  ['manager', new Set<Right>(['people'])],
  ['caller', new Set<Right>(['read contacts', 'write contacts'])],
]);
const roles = [...rightsOf.keys()];

interface Member {
  readonly id: string;
  readonly uuid: string;
  readonly token: string;
  role: string;
  isActive: boolean;
  isMember: boolean;
}

/** What the model knows of the organization. */
const state = { isActive: true, hasCrm: true };
/** A token of a service member, kept by whoever made it. */
interface Held {
  readonly secret: string;
  readonly maker: Member;
  readonly service: { readonly id: string; role: string };
  readonly client: { isActive: boolean };
}

const may = (role: string, right: Right) => rightsOf.get(role)?.has(right) === true;
const covers = (role: string, other: string) =>
  rightsOf.get(other)?.isSubsetOf(rightsOf.get(role) ?? new Set()) === true;
const isLetIn = ({ isActive, isMember }: Member) => state.isActive && isActive && isMember;
const manages = (caller: Member, ...others: string[]) =>
  isLetIn(caller) && may(caller.role, 'people') && others.every((role) => covers(caller.role, role));
/** A program acts while whoever holds its token may do as much as it. */
const isHeld = ({ maker, service, client }: Held) =>
  isLetIn(maker) && client.isActive && covers(maker.role, service.role);

const roleIds = new Map<string, string>();
const managing = ['members', 'invitations', 'roles', 'clients', 'tokens'];
const grantsOn = (resource: string, ...actions: string[]) => actions.map((action) => ({ resource, action }));
const contactsOf = (isWriting: boolean) =>
  grantsOn('contacts', 'read', ...(isWriting ? ['create', 'update', 'delete'] : []));

async function makeRoles(): Promise<void> {
  for (const [role, id] of Object.entries(builtInRoleIds)) roleIds.set(role, encodeId('role', id));
  const grants = managing.flatMap((resource) =>
    grantsOn(resource, 'read', 'create', ...(resource === 'invitations' ? [] : ['update']), 'delete'),
  );
  for (const [key, given] of [
    ['manager', grants],
    ['caller', contactsOf(true)],
  ] as const)
    roleIds.set(key, (await succeed(server, 'POST', '/v1/roles', { key, name: key, grants: given })).json.id);
}

const roleId = (role: string) => roleIds.get(role) ?? '';

async function join(role: string): Promise<Member> {
  const uuid = await createMember(worker, server.organization, 'VIEWER');
  const { token } = await createToken(worker, server.organization, uuid);
  const id = encodeId('user', uuid);
  if (role !== 'VIEWER') await succeed(server, 'PATCH', `/v1/members/${id}`, { roleId: roleId(role) });
  return { id, uuid, token, role, isActive: true, isMember: true };
}

/** Sends a write. It works if the model permits it; otherwise it is refused, and nothing is written. */
async function attempt(
  label: string,
  permitted: boolean,
  token: string,
  ...[method, path, body]: ['POST' | 'PATCH' | 'DELETE', string, object?]
): Promise<Json> {
  const response = await write(server, method, path, { token, ...(body === undefined ? {} : { body }) });
  const shown = `${label}: ${method} ${path} ${response.status} ${response.text}`;
  if (permitted) assert.ok(response.status < 300, `must work: ${shown}`);
  else {
    // Who has left is no longer there to be referred to.
    const isUnknown = response.json?.code === 'reference_not_found';
    assert.ok([401, 403, 404].includes(response.status) || isUnknown, `must be refused: ${shown}`);
    assert.deepEqual(response.events, [], `changed something: ${shown}`);
  }
  return permitted ? response.json : null;
}

/** What belongs to one member, and what others try with it. */
interface Belongings {
  readonly owner: Member;
  readonly client: { readonly id: string };
  readonly privateView: string;
  readonly sharedView: string;
  readonly endpoint: string;
  readonly service: { readonly id: string; role: string };
}

const newUrl = () => `http://127.0.0.1:9/${randomUUID()}`;

/** Made while the owner has every right, so that each has everything. */
async function equip(owner: Member): Promise<Belongings> {
  const { role } = owner;
  await succeed(server, 'PATCH', `/v1/members/${owner.id}`, { roleId: roleId('OWNER') });
  const make = async (path: string, body: object): Promise<Json> => {
    const { status, json, text } = await server.call('POST', path, { token: owner.token, body });
    assert.equal(status, 201, text);
    return json;
  };
  const client = await make('/v1/clients', { name: `Client ${randomUUID()}`, kind: 'SERVER' });
  await make('/v1/tokens', { name: 'Own', clientId: client.id, scopes: ['sites:read'] });
  const view = (shared: boolean) => make('/v1/views', { name: randomUUID(), resource: 'contacts', shared });
  const privateView = (await view(false)).id;
  const sharedView = (await view(true)).id;
  const hook = await make('/v1/webhook-endpoints', { url: newUrl(), eventTypes: ['site.*'] });
  const service = await make('/v1/members', { name: `Program ${role}`, roleId: roleId(role) });
  await succeed(server, 'PATCH', `/v1/members/${owner.id}`, { roleId: roleId(role) });
  // Who answers for a program cannot leave: that is somebody else here.
  const responsibleUserId = encodeId('user', server.ownerId);
  await succeed(server, 'PATCH', `/v1/members/${service.id}`, { responsibleUserId });
  return {
    owner,
    client,
    privateView,
    sharedView,
    endpoint: hook.id,
    service: { id: service.id, role },
  };
}

const held: Held[] = [];
/** The client that tokens are made for. */
const programs = { id: '', isActive: true };

type Detour = (caller: Member, other: Belongings, role: string) => Promise<unknown>;
const detours: Readonly<Record<string, Detour>> = {
  'a token for a person': ({ token }, { owner }) =>
    attempt('a token for somebody', false, token, 'POST', '/v1/tokens', {
      name: 'Theirs',
      clientId: programs.id,
      userId: owner.id,
      scopes: ['sites:read'],
    }),
  'a token for a program': async (caller, { service }) => {
    const body = { name: 'Program', clientId: programs.id, userId: service.id, scopes: allScopes };
    const permitted = manages(caller, service.role);
    const made = await attempt('a token for a program', permitted, caller.token, 'POST', '/v1/tokens', body);
    if (permitted) held.push({ secret: made.secret, maker: caller, service, client: programs });
  },
  'a client': async (caller, { owner, client }) => {
    const path = `/v1/clients/${client.id}`;
    // The token of somebody who has left has ended.
    const permitted = manages(caller, ...(owner.isMember ? [owner.role] : []));
    // Nobody needs a right over tokens to leave a client as it is.
    for (const status of permitted ? ['DISABLED', 'ACTIVE'] : ['DISABLED'])
      await attempt('a client', permitted, caller.token, 'PATCH', path, { status });
  },
  'a role': async (caller, { service }, role) => {
    const permitted = manages(caller, service.role, role);
    const path = `/v1/members/${service.id}`;
    await attempt(`the role ${role}`, permitted, caller.token, 'PATCH', path, { roleId: roleId(role) });
    if (permitted) service.role = role;
  },
  'an invitation': async (caller, _other, role) => {
    const permitted = manages(caller, role);
    const body = { email: `${randomUUID()}@example.com`, roleId: roleId(role) };
    await attempt(`an invitation to ${role}`, permitted, caller.token, 'POST', '/v1/invitations', body);
  },
  'a private view': ({ token }, { privateView }) =>
    attempt('a private view', false, token, 'PATCH', `/v1/views/${privateView}`, { name: randomUUID() }),
  'a shared view': (caller, { sharedView }) =>
    attempt(
      'a shared view',
      isLetIn(caller) && may(caller.role, 'people') && may(caller.role, 'share views'),
      caller.token,
      'PATCH',
      `/v1/views/${sharedView}`,
      { name: randomUUID() },
    ),
  'an import': (caller) =>
    attempt(
      'an import',
      isLetIn(caller) && may(caller.role, 'write contacts') && state.hasCrm,
      caller.token,
      'POST',
      '/v1/crm/contacts',
      { lastName: 'Imported' },
    ),
  'a webhook': async (caller, { endpoint }) => {
    const permitted = isLetIn(caller) && may(caller.role, 'webhooks');
    const body = { url: newUrl() };
    const path = `/v1/webhook-endpoints/${endpoint}`;
    await attempt('a webhook', permitted, caller.token, 'PATCH', path, body);
    if (!permitted) return;
    const [row] = await worker.run('SELECT acts_for FROM trellis.webhook_subscriptions WHERE url = $1', [
      body.url,
    ]);
    assert.equal(row?.[0], caller.uuid, 'whose rights count');
  },
};

/** Whether each token that is held is accepted now. */
async function checkHeld(): Promise<void> {
  for (const each of held) {
    const { status, json } = await server.call('POST', '/v1/sites', {
      token: each.secret,
      body: { key: 'No key' },
    });
    const shown = `token for ${each.service.role} of ${each.maker.role}: ${status} ${json.code}`;
    const refused = ['token_invalid', 'organization_suspended'].includes(json.code);
    assert.equal(refused, !isHeld(each), shown);
  }
}

type Change = (subject: Member, role: string) => Promise<unknown>;
const organization = (column: string, value: string) =>
  worker.run(`UPDATE trellis.organizations SET ${column} = $2 WHERE id = $1`, [
    server.organization.id,
    value,
  ]);
async function turnClient(): Promise<void> {
  const status = programs.isActive ? 'DISABLED' : 'ACTIVE';
  await succeed(server, 'PATCH', `/v1/clients/${programs.id}`, { status });
  programs.isActive = !programs.isActive;
}
const changes: Readonly<Record<string, Change>> = {
  role: async (subject, role) => {
    if (!subject.isMember) return;
    await succeed(server, 'PATCH', `/v1/members/${subject.id}`, { roleId: roleId(role) });
    subject.role = role;
  },
  status: async (subject) => {
    if (!subject.isMember) return;
    const status = subject.isActive ? 'DISABLED' : 'ACTIVE';
    await succeed(server, 'PATCH', `/v1/members/${subject.id}`, { status });
    subject.isActive = !subject.isActive;
  },
  removal: async (subject) => {
    if (!subject.isMember) return;
    await succeed(server, 'DELETE', `/v1/members/${subject.id}`);
    subject.isMember = false;
  },
  grants: async () => {
    const isWriting = !may('caller', 'write contacts');
    await succeed(server, 'PATCH', `/v1/roles/${roleId('caller')}`, { grants: contactsOf(isWriting) });
    rightsOf.set(
      'caller',
      new Set<Right>(['read contacts', ...(isWriting ? ['write contacts' as const] : [])]),
    );
  },
  client: () => turnClient(),
  suspension: async () => {
    await organization('status', 'SUSPENDED');
    state.isActive = false;
  },
  module: async () => {
    await organization('modules', '{cms,publishing,knowledge,visitors,sandbox}');
    state.hasCrm = false;
  },
};

/** Ends what concerns the whole organization. */
async function resume(): Promise<void> {
  await organization('status', 'ACTIVE');
  await organization('modules', '{cms,publishing,knowledge,crm,visitors,sandbox}');
  state.isActive = true;
  state.hasCrm = true;
}

test('nobody does by a detour what they may not do, before, during and after each change of rights', async (context) => {
  const next = seededNumbers(chooseSeed(context));
  const pick = <T>(values: readonly T[]): T => {
    const value = values[Math.floor(next() * values.length)];
    assert.ok(value !== undefined);
    return value;
  };
  await makeRoles();
  programs.id = (await succeed(server, 'POST', '/v1/clients', { name: 'Programs', kind: 'SERVER' })).json.id;
  const tried = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    const members: Member[] = [];
    for (const role of roles) members.push(await join(role));
    const belongings: Belongings[] = [];
    for (const role of roles) belongings.push(await equip(await join(role)));
    const everyone = [...members, ...belongings.map(({ owner }) => owner)];
    held.length = 0;
    for (const change of [null, ...Object.keys(changes).sort(() => next() - 0.5)]) {
      if (change !== null) {
        // Mostly one who holds a token, who may lose what it permits.
        const makers = held.map(({ maker }) => maker);
        const subject = pick(makers.length > 0 && next() < 0.7 ? makers : everyone);
        context.diagnostic(`round ${round}: ${change} of ${subject.role}`);
        await changes[change]?.(subject, pick(roles));
      }
      await checkHeld();
      // Every detour by every member of whatever role, each upon somebody else at random.
      for (const caller of members)
        for (const [name, detour] of Object.entries(detours)) {
          tried.add(`${caller.role} ${name}`);
          await detour(caller, pick(belongings), pick(roles));
        }
      await checkHeld();
      await resume();
    }
    if (!programs.isActive) await turnClient();
    for (const { endpoint } of belongings)
      await succeed(server, 'DELETE', `/v1/webhook-endpoints/${endpoint}`);
  }
  assert.ok(tried.size >= roles.length * Object.keys(detours).length, 'every role has tried every detour');
});
