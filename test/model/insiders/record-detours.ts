/** Detours over records of somebody else: views, webhook endpoints, contacts, articles, private files, and the organization. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { type Detour, madeBy, make, never, request, type Target, withRights } from './detour.ts';
import type { Method, Place } from './organization.ts';
import type { Standing } from './rights.ts';

async function view(place: Place, role: string, shared: boolean): Promise<string> {
  const body = { name: randomUUID(), resource: 'contacts', shared };
  const { made } = await madeBy(place, role, ({ token }) => make(token, '/v1/views', body));
  return `/v1/views/${made}`;
}
const rename = (path: string) => request('PATCH', path, { name: randomUUID() });

export const viewDetours: Readonly<Record<string, Detour>> = {
  'a private view, changed': {
    may: never,
    prepare: async (place, role) => rename(await view(place, role, false)),
  },
  'a private view, deleted': {
    may: never,
    prepare: async (place, role) => request('DELETE', await view(place, role, false)),
  },
  // Whoever may not read contacts does not see a view of them.
  'a shared view, changed': {
    may: withRights('contacts:read', 'views:update', 'views:publish'),
    prepare: async (place, role) => rename(await view(place, role, true)),
  },
  'a shared view, deleted': {
    may: withRights('contacts:read', 'views:delete', 'views:publish'),
    prepare: async (place, role) => request('DELETE', await view(place, role, true)),
  },
};

const newUrl = () => `http://127.0.0.1:9/${randomUUID()}`;
/** Of the built-in roles those that administer may; no other role has rights over endpoints. */
const administers = withRights('webhook-endpoints:update');
const administersAsPerson = (standing: Standing) => !standing.isProgram && administers(standing);

/** A request over an endpoint of somebody. @param takesOver whether it acts for who asks from then on, and not for its maker */
function overEndpoint(
  ask: (path: string, place: Place) => Promise<readonly [Method, string, object?]>,
  takesOver: boolean,
): Detour['prepare'] {
  return async (place, role) => {
    const body = { url: newUrl(), eventTypes: ['site.*'] };
    const { made, maker } = await madeBy(place, role, ({ token }) =>
      make(token, '/v1/webhook-endpoints', body),
    );
    const path = `/v1/webhook-endpoints/${made}`;
    const target: Target = {
      ...request(...(await ask(path, place))),
      async verify(callerUuid) {
        const [row] = await place.server.database.worker.run(
          'SELECT acts_for FROM trellis.webhook_subscriptions WHERE endpoint_id = $1',
          [decodeId('whe', made)],
        );
        if (row !== undefined)
          assert.equal(row[0], takesOver ? callerUuid : maker.uuid, 'whose rights count');
      },
      // An organization has at most fifty.
      dispose: () => place.owner.send('DELETE', path, undefined, randomUUID()),
    };
    return target;
  };
}

export const webhookDetours: Readonly<Record<string, Detour>> = {
  'the address of an endpoint': {
    may: administersAsPerson,
    prepare: overEndpoint(async (path) => ['PATCH', path, { url: newUrl() }], true),
  },
  'the types of an endpoint': {
    may: administersAsPerson,
    prepare: overEndpoint(async (path) => ['PATCH', path, { eventTypes: ['article.*'] }], true),
  },
  'another secret for an endpoint': {
    may: administersAsPerson,
    prepare: overEndpoint(async (path) => ['POST', `${path}/rotate-secret`], true),
  },
  'a test of an endpoint': {
    may: administers,
    prepare: overEndpoint(async (path) => ['POST', `${path}/test`], false),
  },
  'a replay by an endpoint': {
    may: administers,
    prepare: overEndpoint(
      async (path) => ['POST', `${path}/replay`, { from: '2020-01-01T00:00:00Z' }],
      false,
    ),
  },
  'a delivery, sent again': {
    may: administers,
    prepare: overEndpoint(async (path, place) => {
      const { id } = await place.make(`${path}/test`, {});
      return ['POST', `${path}/deliveries/${id}/retry`];
    }, false),
  },
  'the status of an endpoint': {
    may: administers,
    prepare: overEndpoint(async (path) => ['PATCH', path, { status: 'DISABLED' }], false),
  },
  'the deletion of an endpoint': {
    may: withRights('webhook-endpoints:delete'),
    prepare: overEndpoint(async (path) => ['DELETE', path], false),
  },
};

const withCrm =
  (action: string): Detour['may'] =>
  (standing) =>
    standing.hasCrm && withRights(`contacts:${action}`)(standing);
async function contact(place: Place, role: string): Promise<string> {
  const { made } = await madeBy(place, role, ({ token }) =>
    make(token, '/v1/crm/contacts', { lastName: 'Somebody' }),
  );
  return `/v1/crm/contacts/${made}`;
}

export const recordDetours: Readonly<Record<string, Detour>> = {
  // An import writes records one by one.
  'an imported contact of somebody': {
    may: withCrm('create'),
    async prepare(place, role) {
      const { id } = await place.join(role);
      return request('POST', '/v1/crm/contacts', { lastName: 'Imported', ownerUserId: id });
    },
  },
  'a contact, changed by an import': {
    may: withCrm('update'),
    prepare: async (place, role) => request('PATCH', await contact(place, role), { lastName: randomUUID() }),
  },
  'a contact, deleted': {
    may: withCrm('delete'),
    prepare: async (place, role) => request('DELETE', await contact(place, role)),
  },
  'an article of somebody': {
    may: withRights('articles:update'),
    async prepare(place, role) {
      const articles = await place.articles();
      const { made } = await madeBy(place, role, ({ token }) =>
        make(token, articles, { versionData: { title: 'A title', body: 'one two' } }),
      );
      return request('PATCH', `${articles}/${made}`, { versionData: { title: randomUUID() } });
    },
  },
  'a private file, changed': {
    may: never,
    async prepare(place, role) {
      const body = { name: randomUUID(), visibility: 'PRIVATE' };
      const { made } = await madeBy(place, role, ({ token }) => make(token, '/v1/knowledge-files', body));
      return rename(`/v1/knowledge-files/${made}`);
    },
  },
  'the organization': {
    isAboutNoRole: true,
    may: withRights('organizations:update'),
    prepare: async () => request('PATCH', '/v1/organization', { name: randomUUID() }),
  },
};
