/** Administration of service members: the programs of an organization, for which a person is responsible. */

import { decodeId } from '@trellis/schema/values/ids.ts';
import { type Statement, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { advisoryLock } from '../../kernel/pipeline/locks.ts';
import { administer, operatorModels, planChange, planNew, unlessFound } from './administer.ts';
import { AdministrationError, checkName } from './checks.ts';
import { findOrganization, organizationUuid } from './organizations.ts';
import { findRole, findTarget, findUser, listUsers, type UserRecord } from './users.ts';

const findByName: Statement = {
  name: 'administration_find_service_member',
  text: `SELECT FROM trellis.memberships m JOIN trellis.users u ON u.id = m.user_id
    WHERE m.organization_id = $1 AND u.name = $2 AND m.responsible_user_id IS NOT NULL`,
};
/** A service member that an operator wants. */
interface WantedServiceMember {
  readonly name: string;
  readonly organization: string;
  /** Key of the role. */
  readonly role: string;
  /** E-mail address of the responsible person. */
  readonly responsible: string;
}

/** Creates a service member, or returns the one with that name. */
export async function createServiceMember(
  worker: Database,
  wanted: WantedServiceMember,
): Promise<UserRecord> {
  const name = checkName(wanted.name, 'name');
  const organizationId = organizationUuid(await findOrganization(worker, wanted.organization));
  const responsible = await findPerson(worker, wanted.organization, wanted.responsible);
  const role = await findRole(worker, organizationId, wanted.role);
  const values = { name, roleId: role.id, responsibleUserId: responsible.uuid };
  const existing = [
    advisoryLock(organizationId, 'service members', name),
    step(findByName, [organizationId, name]),
  ];
  const plan = unlessFound(planNew(operatorModels.members, organizationId, values), existing);
  await administer(worker, organizationId, plan);
  const made = await findServiceMember(worker, wanted.organization, name);
  if (made.role === role.key && made.responsible === responsible.record.email) return made;
  throw new AdministrationError(
    `The service member "${name}" exists already, with the role ${made.role}, and ${made.responsible} is responsible for it. ` +
      `"trellis user role ${made.id} ${wanted.role}" and "trellis service-member responsible ${made.id} ${wanted.responsible}" change it.`,
  );
}

/** Makes another person responsible for a service member. @param wanted.member its name or id */
export async function setResponsible(
  worker: Database,
  wanted: { member: string; organization: string; responsible: string },
): Promise<UserRecord> {
  const found = await findServiceMember(worker, wanted.organization, wanted.member);
  const target = await findTarget(worker, { ...wanted, email: found.id });
  const { uuid } = await findPerson(worker, wanted.organization, wanted.responsible);
  const plan = planChange(operatorModels.members, target, { responsibleUserId: uuid });
  await administer(worker, target.organizationId, plan);
  return findServiceMember(worker, wanted.organization, found.id);
}

async function findPerson(worker: Database, organization: string, email: string) {
  const record = await findUser(worker, organization, email);
  if (record.kind === 'PERSON') return { record, uuid: decodeId('user', record.id) ?? '' };
  throw new AdministrationError(
    `A person is responsible for a service member: give an e-mail address, not "${email}".`,
  );
}

/** By name or by id. */
export async function findServiceMember(
  worker: Database,
  organization: string,
  nameOrId: string,
): Promise<UserRecord> {
  const found = (await listUsers(worker, organization)).filter(
    ({ kind, id, name }) => kind === 'SERVICE' && (id === nameOrId || name === nameOrId),
  );
  const [only, another] = found;
  if (only === undefined)
    throw new AdministrationError(
      `"${organization}" has no service member "${nameOrId}". "trellis user list" shows all.`,
    );
  if (another === undefined) return only;
  const ids = found.map(({ id }) => id).join(' and ');
  throw new AdministrationError(`Several service members are named "${nameOrId}": give the id, ${ids}.`);
}
