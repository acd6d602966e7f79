/** Why: every token belongs to an application, so that one application can be cut off without touching the others. */
import type { Database } from '../../database/database.ts';
import type { Row } from '../../database/flight.ts';
import { parseTimestamp } from '../../database/values.ts';
import { decodeId, encodeId, newUuid } from '../../lib/ids.ts';
import { AdministrationError, checkName, suggestion } from './checks.ts';
import { findOrganization, type OrganizationRecord, organizationUuid } from './organizations.ts';

export const clientKinds = ['SERVER', 'CONSOLE', 'CLI', 'BROWSER'] as const;
export type ClientKind = (typeof clientKinds)[number];

export interface ClientRecord {
  readonly id: string;
  readonly name: string;
  readonly kind: ClientKind;
  readonly status: 'ACTIVE' | 'DISABLED';
  readonly organization: string;
  readonly createdAt: string;
}

const clientColumns = 'c.id, c.name, c.kind, c.status, o.key, c.created_at';

/** Creates an application's client, or returns the one of that name. */
export async function createClient(
  worker: Database,
  wanted: { name: string; organization: string; kind: string },
): Promise<ClientRecord> {
  const name = checkName(wanted.name, 'name');
  const kind = clientKinds.find((known) => known === wanted.kind.toUpperCase());
  if (kind === undefined) {
    throw new AdministrationError(`The kind must be one of ${clientKinds.join(', ')}, not "${wanted.kind}".`);
  }
  const organization = await findOrganization(worker, wanted.organization);
  await worker.run(
    `INSERT INTO trellis.clients (organization_id, id, name, kind) VALUES ($1, $2, $3, $4)
     ON CONFLICT ON CONSTRAINT clients_name DO NOTHING`,
    [organizationUuid(organization), newUuid(), name, kind],
  );
  const client = await findClient(worker, organization, name);
  if (client.kind !== kind) {
    throw new AdministrationError(`The client "${name}" exists already, with the kind ${client.kind}.`);
  }
  return client;
}

/** All clients of an organization by name. */
export async function listClients(worker: Database, organization: string): Promise<ClientRecord[]> {
  const { key } = await findOrganization(worker, organization);
  const rows = await worker.run(
    `SELECT ${clientColumns} FROM trellis.clients c JOIN trellis.organizations o ON o.id = c.organization_id
     WHERE o.key = $1 ORDER BY c.name`,
    [key],
  );
  return rows.map(readClientRow);
}

/** All tokens of a disabled client are refused from the next write on. */
export async function setClientStatus(
  worker: Database,
  wanted: { client: string; organization: string; status: ClientRecord['status'] },
): Promise<ClientRecord> {
  const organization = await findOrganization(worker, wanted.organization);
  const client = await findClient(worker, organization, wanted.client);
  await worker.run('UPDATE trellis.clients SET status = $3 WHERE organization_id = $1 AND id = $2', [
    organizationUuid(organization),
    decodeId('client', client.id),
    wanted.status,
  ]);
  return { ...client, status: wanted.status };
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

/** The client of that name or id; a command line client is made when there is none. */
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
  const [id, name, kind, status, organization, createdAt] = row;
  return {
    id: encodeId('client', id ?? ''),
    name: name ?? '',
    kind: clientKinds.find((known) => known === kind) ?? 'SERVER',
    status: status === 'ACTIVE' ? 'ACTIVE' : 'DISABLED',
    organization: organization ?? '',
    createdAt: parseTimestamp(createdAt ?? ''),
  };
}
