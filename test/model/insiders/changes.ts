/** The changes of what somebody may do, with what the model says of who it happens to, before and after. */
import { randomUUID } from 'node:crypto';
import { modules } from '@trellis/schema/resources/resource.ts';
import { setUserStatus } from '@trellis/server/features/sign-in/user-status.ts';
import type { Caller } from './detour.ts';
import type { Credential, Place } from './organization.ts';
import { builtIn, type Right, rightsOf, type Standing } from './rights.ts';

type Presented = Credential['kind'];

export interface Change {
  /** Whether it can happen to somebody of the role; to everybody unless given. */
  appliesTo?(role: string): boolean;
  /** What is different before it. */
  before?(presented: Presented): Partial<Standing>;
  /** What is different after it. */
  after(presented: Presented): Partial<Standing>;
  /** The rights of the role `nothing` after it. */
  readonly othersAfter?: readonly Right[];
  /** Brings about what is so before. */
  prepare?(place: Place, caller: Caller): Promise<unknown>;
  /** It has happened when this is fulfilled. */
  make(place: Place, caller: Caller): Promise<unknown>;
}

const without: Partial<Standing> = { rights: [], isBuiltIn: false };
const hasRights = (role: string) => rightsOf(role).length > 0;
/** A change of the person and of the program, each by a request of its own. */
const ofBoth = (place: Place, { id, program }: Caller, change: object) =>
  Promise.all([id, program.id].map((each) => place.ask('PATCH', `/v1/members/${each}`, change)));

export const changes: ReadonlyMap<string, Change> = new Map<string, Change>(
  Object.entries({
    'another role': {
      appliesTo: hasRights,
      after: () => without,
      make: (place, caller) => ofBoth(place, caller, { roleId: place.roleId('nothing') }),
    },
    'a role with more': {
      appliesTo: hasRights,
      before: () => without,
      after: () => ({}),
      prepare: (place, caller) =>
        Promise.all([caller, caller.program].map((each) => place.setRole(each, 'nothing'))),
      make: (place, caller) => ofBoth(place, caller, { roleId: place.roleId(caller.role) }),
    },
    'a role without its rights': {
      appliesTo: (role) => hasRights(role) && !builtIn.includes(role),
      after: () => without,
      make: (place, { role }) => place.ask('PATCH', `/v1/roles/${place.roleId(role)}`, { grants: [] }),
    },
    'another one with more rights': {
      appliesTo: hasRights,
      after: () => ({}),
      othersAfter: ['organizations:read', 'organizations:update'],
      make: (place) =>
        place.ask('PATCH', `/v1/roles/${place.roleId('nothing')}`, {
          grants: ['read', 'update'].map((action) => ({ resource: 'organizations', action })),
        }),
    },
    'disabled here': {
      after: () => ({ isMember: false }),
      make: (place, caller) => ofBoth(place, caller, { status: 'DISABLED' }),
    },
    'enabled again': {
      before: () => ({ isMember: false }),
      after: () => ({}),
      prepare: (place, caller) => ofBoth(place, caller, { status: 'DISABLED' }),
      make: (place, caller) => ofBoth(place, caller, { status: 'ACTIVE' }),
    },
    removed: {
      after: () => ({ isMember: false }),
      make: (place, { id, program }) =>
        Promise.all([id, program.id].map((each) => place.ask('DELETE', `/v1/members/${each}`))),
    },
    'disabled everywhere': {
      after: (presented) => ({ isMember: presented === 'program' }),
      make: (place, { uuid }) => setUserStatus(place.server.database.auth, uuid, 'DISABLED', randomUUID()),
    },
    'without the client of the token': {
      after: (presented) => ({ isPresentable: presented !== 'token' }),
      make: (place, { clientId }) => place.ask('PATCH', `/v1/clients/${clientId}`, { status: 'DISABLED' }),
    },
    'without the token': {
      after: (presented) => ({ isPresentable: presented !== 'token' }),
      make: (place, { tokenId }) => place.ask('DELETE', `/v1/tokens/${tokenId}`),
    },
    'without the session': {
      after: (presented) => ({ isPresentable: presented !== 'session' }),
      make: (place, { session }) => place.ask('DELETE', `/v1/sessions/${session.id}`),
    },
    'in an organization that is suspended': {
      after: () => ({ isMember: false }),
      make: (place) => place.ask('PATCH', '/v1/organization', { status: 'SUSPENDED' }),
    },
    'without a module': {
      appliesTo: (role) => rightsOf(role).includes('contacts:read'),
      after: () => ({ hasCrm: false }),
      make: (place) =>
        place.ask('PATCH', '/v1/organization', { modules: modules.filter((name) => name !== 'crm') }),
    },
  } satisfies Record<string, Change>),
);
