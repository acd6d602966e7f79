/** Administration of clients. Every token belongs to a client, so that one application can be disabled without the others. */

import { type ClientKind, clientKinds } from '@trellis/schema/resources/clients.ts';
import type { Values } from '@trellis/schema/validation/values.ts';
import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';
import { normalizeOrigin } from '@trellis/schema/values/origin.ts';
import { type Row, type Statement, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { defineRow, instant, nullable, text, texts } from '../../kernel/database/row.ts';
import { makePublishableKey } from '../../kernel/identity/publishable-key.ts';
import { advisoryLock } from '../../kernel/pipeline/locks.ts';
import { administer, operatorModels, planChange, planNew, targetOf, unlessFound } from './administer.ts';
import { AdministrationError, checkName, suggestion } from './checks.ts';
import { findOrganization, type OrganizationRecord, organizationUuid } from './organizations.ts';

export interface ClientRecord {
  readonly id: string;
  readonly name: string;
  readonly kind: ClientKind;
  readonly status: 'ACTIVE' | 'DISABLED';
  readonly organization: string;
  readonly createdAt: string;
  /** The public key with which the pages of a BROWSER client identify visitors; null for the other kinds. */
  readonly publishableKey: string | null;
  /** Id of the site that the key is for. */
  readonly siteId: string | null;
  /** Origins whose pages may use the key. */
  readonly origins: readonly string[] | null;
}

/** Maximum number of origins of a publishable key. */
const maxOrigins = 50;

const clientRow = defineRow({
  id: text('c.id'),
  name: text('c.name'),
  kind: text('c.kind'),
  status: text('c.status'),
  organization: text('o.key'),
  createdAt: instant('c.created_at'),
  publishableKey: nullable(text('k.key')),
  siteId: nullable(text('k.site_id')),
  origins: texts(`ARRAY(SELECT g.origin FROM trellis.publishable_key_origins g
    WHERE g.organization_id = c.organization_id AND g.client_id = c.id ORDER BY g.origin)`),
});
const clientTables = `trellis.clients c JOIN trellis.organizations o ON o.id = c.organization_id
  LEFT JOIN trellis.publishable_keys k ON k.organization_id = c.organization_id AND k.client_id = c.id`;

const findByName: Statement = {
  name: 'administration_find_client',
  text: 'SELECT FROM trellis.clients WHERE organization_id = $1 AND name = $2',
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
  await addClient(worker, organization, { name, kind });
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
  const publishableKey = makePublishableKey(organizationUuid(organization));
  await addClient(worker, organization, { name, kind: 'BROWSER', siteId, origins }, { publishableKey });
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
  await changeClient(worker, organization, client, { origins });
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
    `SELECT ${clientRow.list} FROM ${clientTables} WHERE o.key = $1 ORDER BY c.name`,
    [key],
  );
  return rows.map(readClient);
}

/** Enables or disables a client. Its tokens are refused from the next write on, its publishable key immediately. */
export async function setClientStatus(
  worker: Database,
  wanted: { client: string; organization: string; status: ClientRecord['status'] },
): Promise<ClientRecord> {
  const organization = await findOrganization(worker, wanted.organization);
  const client = await findClient(worker, organization, wanted.client);
  await changeClient(worker, organization, client, { status: wanted.status });
  return { ...client, status: wanted.status };
}

/** Creates a client, unless there is one of its name. */
async function addClient(
  worker: Database,
  organization: OrganizationRecord,
  values: { readonly name: string; readonly kind: ClientKind } & Values,
  made: Values = {},
): Promise<void> {
  const id = organizationUuid(organization);
  const { name } = values;
  const existing = [advisoryLock(id, 'clients', name), step(findByName, [id, name])];
  await administer(
    worker,
    id,
    unlessFound(planNew(operatorModels.clients, id, values, { values: made }), existing),
  );
}

function changeClient(
  worker: Database,
  organization: OrganizationRecord,
  client: ClientRecord,
  values: Values,
): Promise<void> {
  const id = organizationUuid(organization);
  const target = targetOf(id, decodeId('client', client.id) ?? '');
  return administer(worker, id, planChange(operatorModels.clients, target, values));
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

function readClient(row: Row): ClientRecord {
  const client = clientRow.read(row);
  return {
    ...client,
    id: encodeId('client', client.id),
    kind: clientKinds.find((known) => known === client.kind) ?? 'SERVER',
    status: client.status === 'ACTIVE' ? 'ACTIVE' : 'DISABLED',
    siteId: client.siteId === null ? null : encodeId('site', client.siteId),
    origins: client.publishableKey === null ? null : client.origins.sort(),
  };
}
