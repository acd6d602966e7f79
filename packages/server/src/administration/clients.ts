/** Administration of clients. Every token belongs to a client, so that one application can be disabled without the others. */

import { type ClientKind, clientKinds, clients } from '@trellis/schema/resources/clients.ts';
import { decodeId, encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { type Row, type Statement, type Step, step } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { parseTextArray, parseTimestamp, textArray } from '../database/values.ts';
import { indexJobsStep } from '../identity/index-jobs.ts';
import { makePublishableKey, normalizeOrigin } from '../identity/publishable-key.ts';
import { advisoryLock } from '../pipeline/locks.ts';
import { administer, unchanged } from './administer.ts';
import { AdministrationError, checkName, suggestion } from './checks.ts';
import { isLastConsole, lastConsoleDetail, otherConsolesStep } from './clients/last-console.ts';
import { insertOrigins, insertPublishableKey, removeOtherOrigins } from './clients/storage.ts';
import { findOrganization, type OrganizationRecord, organizationUuid } from './organizations.ts';

export interface ClientRecord {
  readonly id: string;
  readonly name: string;
  readonly kind: ClientKind;
  readonly status: 'ACTIVE' | 'DISABLED';
  readonly organization: string;
  readonly createdAt: string;
  /** The public key by which the pages of a BROWSER client identify visitors; null for the other kinds. */
  readonly publishableKey: string | null;
  /** Id of the site that the key is for. */
  readonly siteId: string | null;
  /** Origins whose pages may use the key. */
  readonly origins: readonly string[] | null;
}

/** Maximum number of origins of a publishable key. */
const maxOrigins = 50;

const clientColumns = `c.id, c.name, c.kind, c.status, o.key, c.created_at, k.key, k.site_id,
  ARRAY(SELECT g.origin FROM trellis.publishable_key_origins g
        WHERE g.organization_id = c.organization_id AND g.client_id = c.id ORDER BY g.origin)`;
const clientTables = `trellis.clients c JOIN trellis.organizations o ON o.id = c.organization_id
  LEFT JOIN trellis.publishable_keys k ON k.organization_id = c.organization_id AND k.client_id = c.id`;

const findByName: Statement = {
  name: 'administration_find_client',
  text: 'SELECT FROM trellis.clients WHERE organization_id = $1 AND name = $2',
};
const insertClient: Statement = {
  name: 'administration_insert_client',
  text: 'INSERT INTO trellis.clients (organization_id, id, name, kind) VALUES ($1, $2, $3, $4)',
};
const lockClient: Statement = {
  name: 'administration_lock_client',
  text: 'SELECT status, kind FROM trellis.clients WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
};
const readOrigins: Statement = {
  name: 'administration_read_origins',
  text: 'SELECT origin FROM trellis.publishable_key_origins WHERE organization_id = $1 AND client_id = $2',
};
const raiseVersion: Statement = {
  name: 'administration_raise_client_version',
  text: `UPDATE trellis.clients SET version = version + 1, updated_at = now() WHERE organization_id = $1 AND id = $2`,
};
const updateStatus: Statement = {
  name: 'administration_update_client_status',
  text: `UPDATE trellis.clients SET status = $3, version = version + 1, updated_at = now()
    WHERE organization_id = $1 AND id = $2`,
};

/** Creates a client, or returns the one with that name. Not for the kind BROWSER, see `createBrowserClient`. */
export async function createClient(
  worker: Database,
  wanted: { name: string; organization: string; kind: string },
): Promise<ClientRecord> {
  const name = checkName(wanted.name, 'name');
  const kind = clientKinds.find((known) => known === wanted.kind.toUpperCase());
  if (kind === undefined) {
    throw new AdministrationError(`The kind must be one of ${clientKinds.join(', ')}, not "${wanted.kind}".`);
  }
  if (kind === 'BROWSER') {
    throw new AdministrationError(
      'A client of the kind BROWSER is for the pages of one site: give --site, and --origin for each place they are at.',
    );
  }
  const organization = await findOrganization(worker, wanted.organization);
  await addClient(worker, organization, name, kind, () => []);
  const client = await findClient(worker, organization, name);
  if (client.kind !== kind) {
    throw new AdministrationError(`The client "${name}" exists already, with the kind ${client.kind}.`);
  }
  return client;
}

/**
 * Creates the BROWSER client of a site with its publishable key, or returns the one with that name.
 *
 * @param siteId uuid of a site of the organization; not checked, because the worker role cannot see sites
 * @param wanted.origins scheme, host and port of all pages that use the key, at least one
 */
export async function createBrowserClient(
  worker: Database,
  siteId: string,
  wanted: { name: string; organization: string; origins: readonly string[] },
): Promise<ClientRecord> {
  const name = checkName(wanted.name, 'name');
  const origins = checkOrigins(wanted.origins);
  const organization = await findOrganization(worker, wanted.organization);
  // A client without its key, or a key without its origins, would be of no use.
  await addClient(worker, organization, name, 'BROWSER', (key) => [
    step(insertPublishableKey, [...key, makePublishableKey(), siteId]),
    step(insertOrigins, [...key, textArray(origins)]),
  ]);
  const client = await findClient(worker, organization, name);
  const same =
    client.siteId === encodeId('site', siteId) && client.origins?.join(' ') === [...origins].sort().join(' ');
  if (!same) {
    const what = client.kind === 'BROWSER' ? 'another site or other origins' : `the kind ${client.kind}`;
    throw new AdministrationError(
      `The client "${name}" exists already, with ${what}. "trellis client origins" changes where its key may be used.`,
    );
  }
  return client;
}

/** Replaces the origins of a BROWSER client. Calls follow at once; preflights cached by browsers within two hours. */
export async function setClientOrigins(
  worker: Database,
  wanted: { client: string; organization: string; origins: readonly string[] },
): Promise<ClientRecord> {
  const origins = checkOrigins(wanted.origins);
  const organization = await findOrganization(worker, wanted.organization);
  const client = await findClient(worker, organization, wanted.client);
  if (client.kind !== 'BROWSER') {
    throw new AdministrationError(`The client "${client.name}" has no origins: its kind is ${client.kind}.`);
  }
  const key = keyOf(organization, client);
  const wantedOrigins = textArray(origins);
  await administer(worker, {
    organizationId: key[0],
    subject: 'client',
    reads: { current: [step(lockClient, key), step(readOrigins, key)] },
    decide({ current }) {
      const known = current.rows.map(([origin]) => origin ?? '').sort();
      if (known.join(' ') === [...origins].sort().join(' ')) return unchanged;
      return {
        steps: [
          step(raiseVersion, key),
          step(removeOtherOrigins, [...key, wantedOrigins]),
          step(insertOrigins, [...key, wantedOrigins]),
        ],
        events: [{ subject: 'client', id: key[1], what: 'updated', changed: ['origins'] }],
      };
    },
  });
  return findClient(worker, organization, client.id);
}

function checkOrigins(given: readonly string[]): string[] {
  const origins = given.map((text) => {
    const origin = normalizeOrigin(text);
    if (origin === null) {
      throw new AdministrationError(
        `"${text}" is not an origin. Write scheme, host and, if it is not the usual one, port: https://www.example.com.`,
      );
    }
    return origin;
  });
  const distinct = [...new Set(origins)];
  if (distinct.length < 1 || distinct.length > maxOrigins) {
    throw new AdministrationError(`A publishable key needs 1 to ${maxOrigins} origins.`);
  }
  return distinct;
}

/** All clients of an organization, ordered by name. */
export async function listClients(worker: Database, organization: string): Promise<ClientRecord[]> {
  const { key } = await findOrganization(worker, organization);
  const rows = await worker.run(
    `SELECT ${clientColumns} FROM ${clientTables} WHERE o.key = $1 ORDER BY c.name`,
    [key],
  );
  return rows.map(readClientRow);
}

/** Enables or disables a client. Its tokens are refused from the next write on, its publishable key at once. */
export async function setClientStatus(
  worker: Database,
  wanted: { client: string; organization: string; status: ClientRecord['status'] },
): Promise<ClientRecord> {
  const organization = await findOrganization(worker, wanted.organization);
  const client = await findClient(worker, organization, wanted.client);
  const key = keyOf(organization, client);
  await administer(worker, {
    organizationId: key[0],
    subject: 'client',
    reads: { locked: step(lockClient, key), consoles: otherConsolesStep(...key) },
    decide({ locked, consoles }) {
      const [status, kind] = locked.rows[0] ?? [];
      if (status === wanted.status) return unchanged;
      if (isLastConsole(kind, status, consoles)) return new AdministrationError(lastConsoleDetail);
      return {
        steps: [step(updateStatus, [...key, wanted.status])],
        events: [{ subject: 'client', id: key[1], what: 'updated', changed: ['status'] }],
      };
    },
  });
  return { ...client, status: wanted.status };
}

/** Creates a client of that name, unless there is one. `further`: what is written with it, by its key. */
async function addClient(
  worker: Database,
  organization: OrganizationRecord,
  name: string,
  kind: ClientKind,
  further: (key: [string, string]) => Step[],
): Promise<void> {
  const organizationId = organizationUuid(organization);
  const id = newUuid();
  await administer(worker, {
    organizationId,
    subject: 'client',
    reads: {
      existing: [advisoryLock(organizationId, 'clients', name), step(findByName, [organizationId, name])],
    },
    decide: ({ existing }) =>
      existing.rows.length > 0
        ? unchanged
        : {
            steps: [
              step(insertClient, [organizationId, id, name, kind]),
              indexJobsStep(organizationId, clients.singular, [id]),
              ...further([organizationId, id]),
            ],
            events: [{ subject: 'client', id, what: 'created' }],
          },
  });
}

function keyOf(organization: OrganizationRecord, client: ClientRecord): [string, string] {
  return [organizationUuid(organization), decodeId('client', client.id) ?? ''];
}

/** By name or by id. */
async function findClient(
  worker: Database,
  organization: OrganizationRecord,
  nameOrId: string,
): Promise<ClientRecord> {
  const clients = await listClients(worker, organization.key);
  const found = clients.find(({ id, name }) => id === nameOrId || name === nameOrId);
  if (found !== undefined) return found;
  const hint = suggestion(
    nameOrId,
    clients.map(({ name }) => name),
  );
  throw new AdministrationError(`"${organization.key}" has no client "${nameOrId}".${hint}`);
}

/** Finds the client with that name or id; creates one of the kind CLI if there is none. */
export async function findOrMakeClient(
  worker: Database,
  organization: OrganizationRecord,
  nameOrId: string,
): Promise<ClientRecord> {
  const clients = await listClients(worker, organization.key);
  const found = clients.find(({ id, name }) => id === nameOrId || name === nameOrId);
  return found ?? createClient(worker, { name: nameOrId, organization: organization.key, kind: 'CLI' });
}

function readClientRow(row: Row): ClientRecord {
  const [id, name, kind, status, organization, createdAt, key, siteId, origins] = row;
  return {
    id: encodeId('client', id ?? ''),
    name: name ?? '',
    kind: clientKinds.find((known) => known === kind) ?? 'SERVER',
    status: status === 'ACTIVE' ? 'ACTIVE' : 'DISABLED',
    organization: organization ?? '',
    createdAt: parseTimestamp(createdAt ?? ''),
    publishableKey: key ?? null,
    siteId: siteId ? encodeId('site', siteId) : null,
    origins: key ? parseTextArray(origins ?? '{}').sort() : null,
  };
}
