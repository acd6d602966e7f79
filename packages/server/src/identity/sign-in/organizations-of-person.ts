/**
 * The organizations of a person on a distributed database. A change of somebody's sessions and credentials is made on the coordinator, and names the
 * organizations in its statements, so that only the servers of these take part: one that is away keeps nobody else from signing out.
 * See docs/decisions/0120-organizations-of-a-person.md.
 */
import { type Statement, type Step, type StepResult, step } from '../../database/batch.ts';
import type { Database } from '../../database/database.ts';
import { inTwoForms } from '../../database/distributed-statements.ts';
import { defineRow, text, texts } from '../../database/row.ts';
import { uuidArray } from '../../database/values.ts';

/** Those that a person may have rows in, as an array for statements; null on a plain database, whose statements need not name them. */
export type OrganizationsOfPerson = string | null;

const namedRow = defineRow({ organizationIds: texts('organization_ids') });
const readNamed: Statement = {
  name: 'organizations_of_person',
  text: `SELECT ${namedRow.list} FROM trellis.organizations_of_people WHERE user_id = $1 AND is_complete`,
};
const organizationRow = defineRow({ organizationId: text('organization_id') });
/** Tokens and sessions are valid as long as the membership; endpoints and invitations also act for who has left. */
const findAll: Statement = {
  name: 'organizations_of_person_find',
  text: `SELECT ${organizationRow.list} FROM trellis.memberships WHERE user_id = $1
    UNION SELECT ${organizationRow.list} FROM trellis.webhook_subscriptions WHERE acts_for = $1
    UNION SELECT ${organizationRow.list} FROM trellis.invitations WHERE sent_by = $1`,
};
/** Waits for whoever adds one at the same time to a person without a row, so that neither is missing. */
const add: Statement = {
  name: 'organizations_of_person_add',
  text: `INSERT INTO trellis.organizations_of_people AS p (user_id, organization_ids, is_complete) VALUES ($1, $2, $3)
    ON CONFLICT (user_id) DO UPDATE SET organization_ids = p.organization_ids || excluded.organization_ids,
      is_complete = p.is_complete OR excluded.is_complete
    WHERE NOT p.organization_ids @> excluded.organization_ids OR excluded.is_complete
    RETURNING ${namedRow.list}`,
};

/** Notes that an account is new, so that no server has to be asked for organizations of before. */
export function newPersonStep(userId: string): Step {
  return step(add, [userId, uuidArray([]), 'true']);
}

/** Notes that a person (uuid) joins or enters an organization (uuid). */
export function noteOrganizationStep(userId: string, organizationId: string): Step {
  return step(add, [userId, uuidArray([organizationId]), 'false']);
}

/**
 * Uuids of the organizations that a person has joined or entered, some of them twice; null on a plain database. The first time, all servers are
 * asked.
 */
export async function findOrganizations(auth: Database, userId: string): Promise<readonly string[] | null> {
  if (!(await auth.isDistributed())) return null;
  const [result] = await auth.queryInBackground([namedOrganizationsStep(userId)]);
  const named = namedOrganizations(result);
  if (named !== null) return named;
  const [found] = await auth.queryInBackground([step(findAll, [userId])]);
  const ids = organizationRow.all(found).map(({ organizationId }) => organizationId);
  const [added] = await auth.executeInBackground([step(add, [userId, uuidArray(ids), 'true'])]);
  return namedOrganizations(added) ?? [];
}

/** Reads them again, for `namedOrganizations`. */
export function namedOrganizationsStep(userId: string): Step {
  return step(readNamed, [userId]);
}

/** Null where not all of them are known. */
export function namedOrganizations(result: StepResult | undefined): readonly string[] | null {
  return namedRow.first(result)?.organizationIds ?? null;
}

/**
 * A statement about rows in the organizations of a person, which are its last parameter.
 * @param parameters how many it has
 * @param textFor makes the text: `isAmong` is the condition of a column with the organization; `isDistributed` whether it is that of a distributed database
 */
export function ofPerson(
  name: string,
  parameters: number,
  textFor: (isAmong: (column: string) => string, isDistributed: boolean) => string,
): Statement {
  const all = `$${parameters}`;
  return inTwoForms(
    name,
    parameters,
    textFor((column) => `(${all}::uuid[] IS NULL OR ${column} = ANY (${all}))`, false),
    textFor((column) => `${column} = ANY (${all}::uuid[])`, true),
  );
}
