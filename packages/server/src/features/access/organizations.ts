/** Administration of organizations. Creating one that exists returns it, so that scripts can be repeated. */

import { type Module, modules } from '@trellis/schema/resources/resource.ts';
import { withDefaults } from '@trellis/schema/validation/defaults.ts';
import { changedFields, type StoredRecord, type Values } from '@trellis/schema/validation/values.ts';
import { decodeId, encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { type Row, type Statement, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { defineRow, instant, nullable, text, texts } from '../../kernel/database/row.ts';
import { installationLock } from '../../kernel/pipeline/locks.ts';
import type { Model } from '../../kernel/pipeline/model.ts';
import { planAction } from '../../kernel/pipeline/write/plans.ts';
import { eventOf } from '../../kernel/pipeline/write/steps/append-event.ts';
import { applyCreation } from '../../kernel/pipeline/write/steps/change.ts';
import { administer, operatorModels, planChange, planOwn, targetOf } from './administer.ts';
import {
  AdministrationError,
  checkCountry,
  checkKey,
  checkModules,
  checkName,
  suggestion,
} from './checks.ts';
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

const organizationRow = defineRow({
  id: text('id'),
  key: text('key'),
  name: text('name'),
  status: text('status'),
  modules: texts('modules'),
  defaultCountry: nullable(text('default_country')),
  createdAt: instant('created_at'),
});

const findByKey: Statement = {
  name: 'administration_find_organization',
  text: 'SELECT FROM trellis.organizations WHERE key = $1',
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
  const country = wanted.defaultCountry === undefined ? null : checkCountry(wanted.defaultCountry);
  const id = newUuid();
  const { organizations: model, clients } = operatorModels;
  const reads = { existing: [installationLock('organizations', key), step(findByKey, [key])] };
  const given = { key, name, defaultCountry: country, modules: checkModules(wanted.modules ?? modules) };
  const plan = planOwn(model, reads, ({ rows, instant }) => {
    if (rows.existing.rows.length > 0) return null;
    const after = newRecord(model, id, given, instant);
    // The console is one client, so that it can be switched off for all members at once.
    const values = { name: 'Console', kind: 'CONSOLE' };
    const client = applyCreation(clients, id, newRecord(clients, newUuid(), values, instant));
    const changed = changedFields(model.resource, {}, after.values);
    return {
      steps: [
        ...model.storage.insert({ organizationId: id, before: null, after }),
        ...builtInRoleSteps(id),
        ...client.steps,
      ],
      events: [eventOf(model, after, 'created', changed), ...client.events],
    };
  });
  await administer(worker, id, plan);
  const existing = await findOrganization(worker, key);
  if (wanted.name !== undefined && existing.name !== name) {
    throw new AdministrationError(
      `The organization "${key}" exists already, with the name "${existing.name}".`,
    );
  }
  return existing;
}

function newRecord({ resource }: Model, id: string, values: Values, instant: string): StoredRecord {
  return {
    ...{ id, parentId: null, version: 1, createdAt: instant, updatedAt: instant },
    ...{ createdBy: null, updatedBy: null, values: withDefaults(resource, values) },
  };
}

/** All organizations, ordered by key. */
export async function listOrganizations(worker: Database): Promise<OrganizationRecord[]> {
  const rows = await worker.run(`SELECT ${organizationRow.list} FROM trellis.organizations ORDER BY key`);
  return rows.map(readOrganization);
}

/** Finds an organization by key. @throws AdministrationError with the nearest key if there is none */
export async function findOrganization(worker: Database, key: string): Promise<OrganizationRecord> {
  const rows = await worker.run(`SELECT ${organizationRow.list} FROM trellis.organizations WHERE key = $1`, [
    key,
  ]);
  const [found] = rows;
  if (found !== undefined) return readOrganization(found);
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
  await administer(worker, id, planChange(operatorModels.organizations, targetOf(id, id), { status }));
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
  const plan = planAction(
    operatorModels.organizations,
    targetOf(id, id),
    {},
    { minimal: true },
    ({ values }) => {
      const before = values.modules as readonly Module[];
      const after = modules.filter(
        (module) => (before.includes(module) || enable.includes(module)) && !disable.includes(module),
      );
      return { values: { ...values, modules: after }, events: ['updated'] };
    },
  );
  await administer(worker, id, plan);
  return findOrganization(worker, key);
}

/** The uuid of an organization. */
export function organizationUuid(organization: OrganizationRecord): string {
  return decodeId('org', organization.id) ?? '';
}

function readOrganization(row: Row): OrganizationRecord {
  const organization = organizationRow.read(row);
  return {
    ...organization,
    id: encodeId('org', organization.id),
    status: organization.status === 'ACTIVE' ? 'ACTIVE' : 'SUSPENDED',
    modules: checkModules(organization.modules),
  };
}
