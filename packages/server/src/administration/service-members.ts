/** Administration of service members: the programs of an organization, for which a person answers. */

import { members } from '@trellis/schema/resources/members.ts';
import { decodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { type Statement, step } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { indexJobsStep } from '../identity/index-jobs.ts';
import { advisoryLock } from '../pipeline/locks.ts';
import { administer, unchanged } from './administer.ts';
import { AdministrationError, checkName } from './checks.ts';
import { lockMembershipStep } from './members/membership-tokens.ts';
import { serviceMemberSteps } from './members/storage.ts';
import { findOrganization, organizationUuid } from './organizations.ts';
import { findRole, findUser, goneMember, labelOf, listUsers, rolesStep, type UserRecord } from './users.ts';

const findByName: Statement = {
  name: 'administration_find_service_member',
  text: `SELECT FROM trellis.memberships m JOIN trellis.users u ON u.id = m.user_id
    WHERE m.organization_id = $1 AND u.name = $2 AND m.responsible_user_id IS NOT NULL`,
};
const updateResponsible: Statement = {
  name: 'administration_update_responsible',
  text: `UPDATE trellis.memberships SET responsible_user_id = $3, version = version + 1, updated_at = now()
    WHERE organization_id = $1 AND user_id = $2`,
};

/** A service member that an operator wants. */
interface WantedServiceMember {
  readonly name: string;
  readonly organization: string;
  /** Key of the role. */
  readonly role: string;
  /** E-mail address of the person who answers for it. */
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
  const id = newUuid();
  let roleKey = '';
  await administer(worker, {
    organizationId,
    subject: 'member',
    reads: {
      existing: [
        advisoryLock(organizationId, 'service members', name),
        step(findByName, [organizationId, name]),
      ],
      person: lockMembershipStep(organizationId, responsible.uuid),
      roles: rolesStep(organizationId),
    },
    decide({ existing, person, roles }) {
      const role = findRole(roles.rows, wanted.role);
      if (role instanceof AdministrationError) return role;
      roleKey = role.key;
      if (existing.rows.length > 0) return unchanged;
      if (person.rows.length === 0) return goneMember(wanted.responsible, wanted.organization);
      const made = { id, name, role: role.stored, status: 'ACTIVE', responsibleUserId: responsible.uuid };
      return {
        steps: [
          ...serviceMemberSteps(organizationId, { ...made, createdAt: null, createdBy: null }),
          indexJobsStep(organizationId, members.singular, [id]),
        ],
        events: [{ subject: 'member', id, what: 'created' }],
      };
    },
  });
  const made = await findServiceMember(worker, wanted.organization, name);
  if (made.role === roleKey && made.responsible === responsible.record.email) return made;
  throw new AdministrationError(
    `The service member "${name}" exists already, with the role ${made.role}, and ${made.responsible} answers for it. ` +
      `"trellis user role ${made.id} ${wanted.role}" and "trellis service-member responsible ${made.id} ${wanted.responsible}" change it.`,
  );
}

/** Makes another person answer for a service member. @param wanted.member its name or id */
export async function setResponsible(
  worker: Database,
  wanted: { member: string; organization: string; responsible: string },
): Promise<UserRecord> {
  const found = await findServiceMember(worker, wanted.organization, wanted.member);
  const organizationId = organizationUuid(await findOrganization(worker, wanted.organization));
  const responsible = await findPerson(worker, wanted.organization, wanted.responsible);
  const id = decodeId('user', found.id) ?? '';
  await administer(worker, {
    organizationId,
    subject: 'member',
    reads: {
      member: lockMembershipStep(organizationId, id),
      person: lockMembershipStep(organizationId, responsible.uuid),
    },
    decide({ member, person }) {
      if (member.rows.length === 0) return goneMember(labelOf(found), wanted.organization);
      if (person.rows.length === 0) return goneMember(wanted.responsible, wanted.organization);
      if (member.rows[0]?.[2] === responsible.uuid) return unchanged;
      return {
        steps: [step(updateResponsible, [organizationId, id, responsible.uuid])],
        events: [{ subject: 'member', id, what: 'updated', changed: ['responsibleUserId'] }],
      };
    },
  });
  return findServiceMember(worker, wanted.organization, found.id);
}

async function findPerson(worker: Database, organization: string, email: string) {
  const record = await findUser(worker, organization, email);
  if (record.kind === 'PERSON') return { record, uuid: decodeId('user', record.id) ?? '' };
  throw new AdministrationError(
    `A person answers for a service member: give an e-mail address, not "${email}".`,
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
