/** Detours over people and programs: their tokens, clients, roles, sessions and links. */
import { randomUUID } from 'node:crypto';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { TestBrowser } from '../../support/browser-client.ts';
import {
  creation,
  type Detour,
  make,
  never,
  request,
  type Target,
  withRights,
  withRightsOver,
} from './detour.ts';
import type { Place } from './organization.ts';
import { builtIn, covers, ownCopy, rightsOf, type Standing, toGrants } from './rights.ts';

const clientOf = ({ organization }: Place) => encodeId('client', organization.clientId);
const tokenBody = (place: Place, userId: string) => ({
  name: 'Some token',
  clientId: clientOf(place),
  userId,
  scopes: ['sites:read'],
});
const rename = (path: string) => request('PATCH', path, { name: randomUUID() });
/** People make tokens for themselves and for programs whose rights they have; a program makes none. */
const makesTokens: Detour['may'] = (standing, others) =>
  !standing.isProgram && withRightsOver('tokens:create', 'members:update')(standing, others);
/** People invite to a role whose rights they have; a program invites nobody. */
const invites: Detour['may'] = (standing, others) =>
  !standing.isProgram && withRightsOver('invitations:create')(standing, others);
/** Whatever they present, people act by what they have made before while they may still make it. */
const asPerson = (standing: Standing): Standing => ({ ...standing, isPresentable: true });

/** A target over a program, which is removed in the end: an organization has at most 200. */
async function overProgram(
  place: Place,
  role: string,
  target: (id: string) => Target | Promise<Target>,
): Promise<Target> {
  const { id } = await place.program(role);
  return {
    ...(await target(id)),
    dispose: () => place.owner.send('DELETE', `/v1/members/${id}`, undefined, randomUUID()),
  };
}

function overProgramToken(place: Place, role: string, target: (path: string) => Target): Promise<Target> {
  return overProgram(place, role, async (id) =>
    target(`/v1/tokens/${await make(place.owner, '/v1/tokens', tokenBody(place, id))}`),
  );
}

export const tokenDetours: Readonly<Record<string, Detour>> = {
  'a token for a person': {
    may: never,
    async prepare(place, role) {
      const { id } = await place.join(role);
      return request('POST', '/v1/tokens', tokenBody(place, id));
    },
  },
  'a token for a program': {
    may: makesTokens,
    prepare: (place, role) =>
      overProgram(place, role, (id) => request('POST', '/v1/tokens', tokenBody(place, id))),
  },
  'another secret for the token of a person': {
    may: never,
    async prepare(place, role) {
      const { tokenId } = await place.joinWithToken(role);
      return request('POST', `/v1/tokens/${tokenId}/rotate`, {});
    },
  },
  'another secret for the token of a program': {
    may: makesTokens,
    prepare: (place, role) => overProgramToken(place, role, (path) => request('POST', `${path}/rotate`, {})),
  },
  'a token with more scopes than one has': {
    of: 'caller',
    isAboutNoRole: true,
    may: never,
    async prepare(place, _role, caller) {
      const { token } = await place.tokenOf(caller, undefined, ['tokens:manage', 'members:manage']);
      const body = { ...tokenBody(place, caller.id), scopes: allScopes };
      return { ask: (_by, requestId) => token.send('POST', '/v1/tokens', body, requestId) };
    },
  },
  "another secret for a token of one's own with more scopes": {
    of: 'caller',
    isAboutNoRole: true,
    may: never,
    async prepare(place, _role, caller) {
      const { token } = await place.tokenOf(caller, undefined, ['tokens:manage', 'members:manage']);
      const path = `/v1/tokens/${caller.tokenId}/rotate`;
      return { ask: (_by, requestId) => token.send('POST', path, {}, requestId) };
    },
  },
  'the token of a program that one has made': {
    of: 'former owner',
    by: ['token'],
    may: (standing, others) => standing.isMember && covers(standing, others),
    prepare: (place, role, caller) =>
      overProgram(place, role, async (id) => {
        const body = { ...tokenBody(place, id), scopes: allScopes };
        const { json } = await caller.token.send('POST', '/v1/tokens', body, randomUUID());
        const options = { token: json.secret, body: { key: 'No key' } };
        return {
          ask: (_by, requestId) =>
            place.server.call('POST', '/v1/sites', { ...options, headers: { 'x-request-id': requestId } }),
        };
      }),
    isLetIn: ({ json }) => ['validation_failed', 'permission_denied'].includes(json?.code),
  },
  'the end of the token of a person': {
    may: withRightsOver('tokens:delete'),
    prepare: async (place, role) =>
      request('DELETE', `/v1/tokens/${(await place.joinWithToken(role)).tokenId}`),
  },
  'the end of the token of a program': {
    may: withRightsOver('tokens:delete'),
    prepare: (place, role) => overProgramToken(place, role, (path) => request('DELETE', path)),
  },
  'the name of a token': {
    may: withRights('tokens:update'),
    prepare: async (place, role) => rename(`/v1/tokens/${(await place.joinWithToken(role)).tokenId}`),
  },
  'the status of a client with a token': {
    may: withRightsOver('clients:update', 'tokens:delete'),
    async prepare(place, role) {
      const { clientId } = await place.joinWithToken(role);
      return request('PATCH', `/v1/clients/${clientId}`, { status: 'DISABLED' });
    },
  },
  'the status of a client with a session': {
    may: withRightsOver('clients:update', 'members:delete'),
    async prepare(place, role) {
      const session = await place.sessionOf(await place.join(role));
      const clientId = await place.consoleOf(session.id);
      return request('PATCH', `/v1/clients/${clientId}`, { status: 'DISABLED' });
    },
  },
  'the name of a client': {
    may: withRights('clients:update'),
    prepare: async (place, role) => rename(`/v1/clients/${(await place.joinWithToken(role)).clientId}`),
  },
  'the deletion of a client with a token': {
    may: never,
    async prepare(place, role) {
      const { clientId } = await place.joinWithToken(role);
      return request('DELETE', `/v1/clients/${clientId}`);
    },
  },
};

const change = (id: string, body: object) => request('PATCH', `/v1/members/${id}`, body);

export const memberDetours: Readonly<Record<string, Detour>> = {
  'the role of somebody, taken': {
    may: withRightsOver('members:update'),
    prepare: async (place, role) => change((await place.join(role)).id, { roleId: place.roleId('nothing') }),
  },
  'a role, given to somebody': {
    may: withRightsOver('members:update'),
    prepare: async (place, role) => change((await place.join('nothing')).id, { roleId: place.roleId(role) }),
  },
  'a role, given to oneself': {
    of: 'caller',
    by: ['token', 'session'],
    changesCaller: true,
    may: withRightsOver('members:update'),
    prepare: async (place, role, caller) =>
      request('PATCH', `/v1/members/${caller.id}`, { roleId: place.roleId(role) }),
  },
  'the status of somebody': {
    may: withRightsOver('members:update'),
    prepare: async (place, role) => change((await place.join(role)).id, { status: 'DISABLED' }),
  },
  'the removal of somebody': {
    may: withRightsOver('members:delete'),
    prepare: async (place, role) => request('DELETE', `/v1/members/${(await place.join(role)).id}`),
  },
  'a new program': {
    may: withRightsOver('members:create'),
    async prepare(place, role) {
      const name = randomUUID();
      const body = { name, roleId: place.roleId(role), responsibleUserId: place.bystander.id };
      return creation(place, '/v1/members', body);
    },
  },
  'the role of a program, taken': {
    may: withRightsOver('members:update'),
    prepare: (place, role) =>
      overProgram(place, role, (id) => change(id, { roleId: place.roleId('nothing') })),
  },
  'a role, given to a program': {
    may: withRightsOver('members:update'),
    prepare: (place, role) =>
      overProgram(place, 'nothing', (id) => change(id, { roleId: place.roleId(role) })),
  },
  'who is responsible for a program': {
    may: withRightsOver('members:update'),
    async prepare(place, role) {
      const { id: responsibleUserId } = await place.join('VIEWER');
      return overProgram(place, role, (id) => change(id, { responsibleUserId }));
    },
  },
  'the removal of a program': {
    may: withRightsOver('members:delete'),
    prepare: (place, role) => overProgram(place, role, (id) => request('DELETE', `/v1/members/${id}`)),
  },
};

const shortKey = () => `r-${randomUUID()}`;
const copyOf = (role: string) => toGrants(ownCopy(rightsOf(role)));
const newRole = (place: Place, grants: object[]) =>
  make(place.owner, '/v1/roles', { key: shortKey(), name: 'Some role', grants });
const roleTarget = (place: Place, id: string, target: Target): Target => ({
  ...target,
  dispose: () => place.owner.send('DELETE', `/v1/roles/${id}`, undefined, randomUUID()),
});

export const roleDetours: Readonly<Record<string, Detour>> = {
  'a new role': {
    isCopy: true,
    may: withRightsOver('roles:create'),
    prepare: async (place, role) =>
      creation(place, '/v1/roles', { key: shortKey(), name: 'New', grants: copyOf(role) }),
  },
  'rights, added to a role': {
    isCopy: true,
    may: withRightsOver('roles:update'),
    async prepare(place, role) {
      const id = await newRole(place, []);
      return roleTarget(place, id, request('PATCH', `/v1/roles/${id}`, { grants: copyOf(role) }));
    },
  },
  'rights, taken from a role': {
    isCopy: true,
    may: withRightsOver('roles:update'),
    async prepare(place, role) {
      const id = await newRole(place, copyOf(role));
      return roleTarget(place, id, request('PATCH', `/v1/roles/${id}`, { grants: [], name: randomUUID() }));
    },
  },
  'rights, added to the role that one has': {
    of: 'caller',
    by: ['token', 'session'],
    isCopy: true,
    may: (standing, others) => !standing.isBuiltIn && withRightsOver('roles:update')(standing, others),
    async prepare(place, role, caller) {
      const grants = toGrants([...new Set([...ownCopy(rightsOf(caller.role)), ...ownCopy(rightsOf(role))])]);
      return request('PATCH', `/v1/roles/${place.roleId(caller.role)}`, { grants });
    },
  },
  'the deletion of a role': {
    isCopy: true,
    may: withRightsOver('roles:delete'),
    async prepare(place, role) {
      const id = await newRole(place, copyOf(role));
      return roleTarget(place, id, request('DELETE', `/v1/roles/${id}`));
    },
  },
  'a built-in role': {
    may: never,
    prepare: async (place, role) =>
      rename(`/v1/roles/${place.roleId(builtIn.includes(role) ? role : 'VIEWER')}`),
  },
};

const invited = async (place: Place, role: string): Promise<Target & { path: string }> => {
  const id = await make(place.owner, '/v1/invitations', invitationTo(place, role));
  const path = `/v1/invitations/${id}`;
  return {
    ...request('DELETE', path),
    path,
    // At most 200 are pending.
    dispose: () => place.owner.send('DELETE', path, undefined, randomUUID()),
  };
};
const invitationTo = (place: Place, role: string, email = `${randomUUID()}@example.com`) => ({
  email,
  roleId: place.roleId(role),
});

export const invitationDetours: Readonly<Record<string, Detour>> = {
  'an invitation': {
    may: invites,
    prepare: async (place, role) => creation(place, '/v1/invitations', invitationTo(place, role)),
  },
  'an invitation, sent again': {
    may: invites,
    async prepare(place, role) {
      const target = await invited(place, role);
      return { ...target, ...request('POST', `${target.path}/resend`) };
    },
  },
  'an invitation, revoked': { may: withRightsOver('invitations:delete'), prepare: invited },
  'the link of an invitation that one has sent': {
    of: 'former owner',
    by: ['token'],
    may: (standing, others) => invites(asPerson(standing), others),
    async prepare(place, role, caller) {
      const guest = await place.guest();
      const body = invitationTo(place, role, guest.email);
      const { json } = await caller.token.send('POST', '/v1/invitations', body, randomUUID());
      const link = json.link.split('#')[1];
      return {
        ask: (_by, requestId) =>
          guest.browser.post(
            '/auth/invitations/accept',
            { link },
            { headers: { 'x-request-id': requestId } },
          ),
        dispose: () => place.owner.send('DELETE', `/v1/invitations/${json.id}`, undefined, randomUUID()),
      };
    },
  },
};

export const sessionDetours: Readonly<Record<string, Detour>> = {
  'the end of a session': {
    may: withRightsOver('members:delete'),
    async prepare(place, role) {
      const { id } = await place.sessionOf(await place.join(role));
      return request('DELETE', `/v1/sessions/${id}`);
    },
  },
  'the end of a session everywhere': {
    by: ['session'],
    may: never,
    async prepare(place, role) {
      const { id } = await place.sessionOf(await place.join(role));
      return request('DELETE', `/auth/sessions/${id}`);
    },
  },
  'a request that is meant for somebody else': {
    of: 'caller',
    isAboutNoRole: true,
    by: ['session'],
    may: never,
    async prepare(place, role, { session }) {
      const { id } = await place.join(role);
      const body = { name: randomUUID(), resource: 'contacts' };
      return {
        ask: (_by, requestId) =>
          session.browser.call('POST', '/v1/views', body, {
            headers: { 'trellis-user': id, 'x-request-id': requestId },
          }),
      };
    },
  },
  'entering the organization': {
    of: 'caller',
    isAboutNoRole: true,
    by: ['session'],
    may: (standing) => standing.isMember && standing.isPresentable,
    prepare: async (place) => request('POST', place.enterPath),
  },
  'a link that signs in': {
    of: 'caller',
    isAboutNoRole: true,
    by: ['token'],
    may: ({ isMember }) => isMember,
    async prepare(place, _role, caller) {
      const link = await place.linkFor(caller);
      return {
        async ask(_by, requestId) {
          const browser = new TestBrowser(place.server);
          const signedIn = await browser.post('/auth/links/redeem', { link });
          if (signedIn.status !== 200) return signedIn;
          return browser.post(place.enterPath, undefined, { headers: { 'x-request-id': requestId } });
        },
      };
    },
  },
};
