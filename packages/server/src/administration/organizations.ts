/** Administration of organizations. Creating one that exists returns it, so that scripts can be repeated. */

import { clients } from '@trellis/schema/resources/clients.ts';
import { type Module, modules } from '@trellis/schema/resources/resource.ts';
import { decodeId, encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { type Row, type Statement, step } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { parseTextArray, parseTimestamp, textArray } from '../database/values.ts';
import { indexJobsStep } from '../identity/index-jobs.ts';
import { advisoryLock } from '../pipeline/locks.ts';
import { administer, unchanged } from './administer.ts';
import { AdministrationError, checkKey, checkModules, checkName, suggestion } from './checks.ts';
import { builtInRoleSteps } from './roles/storage.ts';

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

const findByKey: Statement = {
  name: 'administration_find_organization',
  text: 'SELECT FROM trellis.organizations WHERE key = $1',
};
const insertOrganization: Statement = {
  name: 'administration_insert_organization',
  text: 'INSERT INTO trellis.organizations (id, key, name, modules, default_country) VALUES ($1, $2, $3, $4, $5)',
};
const insertConsoleClient: Statement = {
  name: 'administration_insert_console_client',
  text: `INSERT INTO trellis.clients (organization_id, id, name, kind) VALUES ($1, $2, 'Console', 'CONSOLE')`,
};
const lockOrganization: Statement = {
  name: 'administration_lock_organization',
  text: 'SELECT status, modules FROM trellis.organizations WHERE id = $1 FOR NO KEY UPDATE',
};
const updateStatus: Statement = {
  name: 'administration_update_organization_status',
  text: 'UPDATE trellis.organizations SET status = $2, version = version + 1, updated_at = now() WHERE id = $1',
};
const updateModules: Statement = {
  name: 'administration_update_organization_modules',
  text: 'UPDATE trellis.organizations SET modules = $2, version = version + 1, updated_at = now() WHERE id = $1',
};

/** Creates an organization with its client of the console, or returns the one of that key. */
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
  const id = newUuid();
  const consoleId = newUuid();
  const values = [id, key, name, textArray(checkModules(wanted.modules ?? modules)), country];
  await administer(worker, {
    organizationId: id,
    subject: 'organization',
    reads: { existing: [advisoryLock('organizations', key), step(findByKey, [key])] },
    decide: ({ existing }) =>
      existing.rows.length > 0
        ? unchanged
        : {
            // The console is one client, so that it can be switched off for all members at once.
            steps: [
              step(insertOrganization, values),
              ...builtInRoleSteps(id),
              step(insertConsoleClient, [id, consoleId]),
              indexJobsStep(id, clients.singular, [consoleId]),
            ],
            events: [
              { subject: 'organization', id, what: 'created' },
              { subject: 'client', id: consoleId, what: 'created' },
            ],
          },
  });
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
  const id = organizationUuid(await findOrganization(worker, key));
  await administer(worker, {
    organizationId: id,
    subject: 'organization',
    reads: { locked: step(lockOrganization, [id]) },
    decide: ({ locked }) =>
      locked.rows[0]?.[0] === status
        ? unchanged
        : {
            steps: [step(updateStatus, [id, status])],
            events: [{ subject: 'organization', id, what: 'updated', changed: ['status'] }],
          },
  });
  return findOrganization(worker, key);
}

/** Switches modules on and off; a module in both lists is switched off. */
export async function setModules(
  worker: Database,
  key: string,
  change: { enable: readonly string[]; disable: readonly string[] },
): Promise<OrganizationRecord> {
  const enable = checkModules(change.enable);
  const disable = checkModules(change.disable);
  const id = organizationUuid(await findOrganization(worker, key));
  await administer(worker, {
    organizationId: id,
    subject: 'organization',
    reads: { locked: step(lockOrganization, [id]) },
    decide({ locked }) {
      const before = parseTextArray(locked.rows[0]?.[1] ?? '{}');
      const after = modules.filter(
        (module) => (before.includes(module) || enable.includes(module)) && !disable.includes(module),
      );
      if (after.join() === before.join()) return unchanged;
      return {
        steps: [step(updateModules, [id, textArray(after)])],
        events: [{ subject: 'organization', id, what: 'updated', changed: ['modules'] }],
      };
    },
  });
  return findOrganization(worker, key);
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
