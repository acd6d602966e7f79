/**
 * Services: parts of the product that have scopes, grants and events but are not resources. Resources declare theirs in
 * their own files.
 */
import type { GermanNames } from './german.ts';
import { type Grants, type RoleGrants, readGrants } from './grants.ts';

export interface Service {
  /** Name in the permission matrix. */
  readonly name: string;
  /** What the console calls it and its scopes in German. */
  readonly german: Pick<GermanNames, 'singular' | 'plural'> & {
    readonly scopes: Readonly<Record<string, string>>;
  };
  /** Scopes with their meaning, as sentences. */
  readonly scopes: Readonly<Record<string, string>>;
  /** Absent for what no role is granted: it follows from other rights. */
  readonly grants?: Grants;
  /** Types of events with their meaning, as sentences. */
  readonly events: Readonly<Record<string, string>>;
}

/** Plants are created and deleted, never changed. */
const keepingPlants: RoleGrants = { read: 'all', create: 'all', delete: 'all' };

/** The plant store, interface A. */
const plants: Service = {
  name: 'plants',
  german: {
    singular: 'Pflanze',
    plural: 'Pflanzen',
    scopes: {
      'plants:read': 'Pflanzen der Sandbox lesen.',
      'plants:write': 'Pflanzen der Sandbox anlegen, ändern und löschen.',
    },
  },
  scopes: {
    'plants:read': 'Read plants of the sandbox.',
    'plants:write': 'Create, update and delete plants of the sandbox.',
  },
  grants: {
    ...readGrants,
    OWNER: keepingPlants,
    ADMIN: keepingPlants,
    EDITOR: keepingPlants,
  },
  events: {},
};

/** Website visitors, interface C. */
const visitors: Service = {
  name: 'visitors',
  german: {
    singular: 'Besucher',
    plural: 'Besucher',
    scopes: {
      'visitors:read': 'Besucher der Websites lesen.',
      'visitors:delete': 'Daten von Besuchern der Websites löschen.',
    },
  },
  scopes: {
    'visitors:read': 'Read website visitors.',
    'visitors:delete': 'Erase website visitors.',
  },
  // Erasing visitors is a matter of privacy and not of content, so editors may not do it.
  grants: {
    ...readGrants,
    OWNER: { read: 'all', delete: 'all' },
    ADMIN: { read: 'all', delete: 'all' },
  },
  events: { 'visitor.erased': 'The data of a visitor was erased.' },
};

/** The event log. A user sees the events of the resources that the user may read. */
const events: Service = {
  name: 'events',
  german: {
    singular: 'Ereignis',
    plural: 'Ereignisse',
    scopes: { 'events:read': 'Das Ereignisprotokoll lesen.' },
  },
  scopes: { 'events:read': 'Read the event log.' },
  grants: readGrants,
  events: {},
};

/** Sessions, which people see their own of. Those who may remove members see and end those of everybody. */
const sessions: Service = {
  name: 'sessions',
  german: { singular: 'Sitzung', plural: 'Sitzungen', scopes: {} },
  scopes: {},
  events: {
    'session.created': 'A person signed in and entered the organization.',
    'session.updated': 'A person confirmed their identity.',
    'session.deleted': 'A session was ended, at least in this organization.',
  },
};

export const services: readonly Service[] = [plants, visitors, events, sessions];
