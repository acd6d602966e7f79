/**
 * Services: what has scopes, grants and events without being kept as records of the shared write pipeline. A resource
 * declares its own in its file.
 */
import { type Grants, type RoleGrants, readGrants } from './grants.ts';

export interface Service {
  /** Name in the permission matrix. */
  readonly name: string;
  /** Scopes with their meaning, as sentences. */
  readonly scopes: Readonly<Record<string, string>>;
  readonly grants: Grants;
  /** Types of events with their meaning, as sentences. */
  readonly events: Readonly<Record<string, string>>;
}

/** A plant is created and deleted, never changed. */
const keepingPlants: RoleGrants = { read: 'all', create: 'all', delete: 'all' };

/** The plant store, interface A. */
const plants: Service = {
  name: 'plants',
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
  scopes: {
    'visitors:read': 'Look website visitors up.',
    'visitors:delete': 'Erase website visitors.',
  },
  // Erasing people's traces is a matter of privacy, and not of content.
  grants: {
    ...readGrants,
    OWNER: { read: 'all', delete: 'all' },
    ADMIN: { read: 'all', delete: 'all' },
  },
  events: { 'visitor.erased': 'What was known of a visitor was erased.' },
};

/** The event log. What is shown of it follows what the user may read of each resource. */
const events: Service = {
  name: 'events',
  scopes: { 'events:read': 'Read the event log.' },
  grants: readGrants,
  events: {},
};

export const services: readonly Service[] = [plants, visitors, events];
