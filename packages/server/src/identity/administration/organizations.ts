/** Administration of organizations. Creating one that exists returns it, so that scripts can be repeated. */

import { type Module, modules } from '@trellis/schema/resources/resource.ts';
import { decodeId, encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import type { Database } from '../../database/database.ts';
import type { Row } from '../../database/flight.ts';
import { parseTextArray, parseTimestamp, textArray } from '../../database/values.ts';
import { AdministrationError, checkKey, checkModules, checkName, suggestion } from './checks.ts';

/** An organization, as commands show it. Instants are RFC 3339 in UTC. */
export interface OrganizationRecord {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly status: 'ACTIVE' | 'SUSPENDED';
  readonly modules: readonly Module[];
  /** ISO 3166-1 code for phone numbers without a country code; null for none. */
  readonly defaultCountry: string | null;
  readonly createdAt: string;
}

const organizationColumns = 'id, key, name, status, modules, default_country, created_at';

/** Creates an organization, or returns the one with that key. */
export async function createOrganization(
  worker: Database,
  wanted: {
    key: string;
    name?: string | undefined;
    modules?: readonly string[] | undefined;
    defaultCountry?: string | undefined;
  },
): Promise<OrganizationRecord> {
  const key = checkKey(wanted.key);
  const name = checkName(wanted.name ?? key, 'name');
  const country = wanted.defaultCountry ?? null;
  if (country !== null && !/^[A-Z]{2}$/.test(country)) {
    throw new AdministrationError(`The country must be two capital letters (ISO 3166-1), not "${country}".`);
  }
  const inserted = await worker.run(
    `INSERT INTO trellis.organizations (id, key, name, modules, default_country) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ON CONSTRAINT organizations_key DO NOTHING RETURNING ${organizationColumns}`,
    [newUuid(), key, name, textArray(checkModules(wanted.modules ?? modules)), country],
  );
  if (inserted[0] !== undefined) return readOrganizationRow(inserted[0]);
  const existing = await findOrganization(worker, key);
  if (wanted.name !== undefined && existing.name !== name) {
    throw new AdministrationError(
      `The organization "${key}" exists already, with the name "${existing.name}".`,
    );
  }
  return existing;
}

/** All organizations, ordered by key. */
export async function listOrganizations(worker: Database): Promise<OrganizationRecord[]> {
  const rows = await worker.run(`SELECT ${organizationColumns} FROM trellis.organizations ORDER BY key`);
  return rows.map(readOrganizationRow);
}

/** Finds an organization by key. @throws AdministrationError with the nearest key if there is none */
export async function findOrganization(worker: Database, key: string): Promise<OrganizationRecord> {
  const rows = await worker.run(`SELECT ${organizationColumns} FROM trellis.organizations WHERE key = $1`, [
    key,
  ]);
  if (rows[0] !== undefined) return readOrganizationRow(rows[0]);
  const hint = suggestion(
    key,
    (await listOrganizations(worker)).map((organization) => organization.key),
  );
  throw new AdministrationError(`There is no organization "${key}".${hint}`);
}

/** Sets the status of an organization. Tokens of a suspended one are refused from the next write on. */
export async function setOrganizationStatus(
  worker: Database,
  key: string,
  status: OrganizationRecord['status'],
): Promise<OrganizationRecord> {
  await findOrganization(worker, key);
  const rows = await worker.run(
    `UPDATE trellis.organizations SET status = $2, updated_at = now() WHERE key = $1 RETURNING ${organizationColumns}`,
    [key, status],
  );
  return readOrganizationRow(rows[0]);
}

/** Switches modules on and off; a module in both lists is switched off. */
export async function setModules(
  worker: Database,
  key: string,
  change: { enable: readonly string[]; disable: readonly string[] },
): Promise<OrganizationRecord> {
  const enable = checkModules(change.enable);
  const disable = checkModules(change.disable);
  await findOrganization(worker, key);
  const rows = await worker.run(
    `UPDATE trellis.organizations SET updated_at = now(), modules = ARRAY(
       SELECT module FROM unnest($4::text[]) WITH ORDINALITY AS known (module, position)
       WHERE (module = ANY (modules) OR module = ANY ($2::text[])) AND module <> ALL ($3::text[]) ORDER BY position)
     WHERE key = $1 RETURNING ${organizationColumns}`,
    [key, textArray(enable), textArray(disable), textArray(modules)],
  );
  return readOrganizationRow(rows[0]);
}

/** The uuid of an organization. */
export function organizationUuid(organization: OrganizationRecord): string {
  return decodeId('org', organization.id) ?? '';
}

function readOrganizationRow(row: Row | undefined): OrganizationRecord {
  const [id = '', key = '', name = '', status, modulesText, defaultCountry = null, createdAt] = row ?? [];
  return {
    id: encodeId('org', id ?? ''),
    key: key ?? '',
    name: name ?? '',
    status: status === 'ACTIVE' ? 'ACTIVE' : 'SUSPENDED',
    modules: checkModules(parseTextArray(modulesText ?? '{}')),
    defaultCountry,
    createdAt: parseTimestamp(createdAt ?? ''),
  };
}
