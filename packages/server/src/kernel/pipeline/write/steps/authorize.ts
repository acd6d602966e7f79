/** The step `authorize`: checks the caller against current state, read inside the transaction of the write. */

import { Problem } from '@trellis/schema/problem.ts';
import { scopeOf } from '@trellis/schema/resources/resource.ts';
import type { Grant } from '@trellis/schema/rights/permissions.ts';
import { type Statement, type Step, type StepResult, step } from '../../../database/batch.ts';
import type { Database } from '../../../database/database.ts';
import { defineRow, instant } from '../../../database/row.ts';
import { setLocal } from '../../../database/scope.ts';
import { accessLockStep } from '../../../identity/access-lock.ts';
import {
  type Actor,
  findGrant,
  type Identity,
  identify,
  identityStep,
  permit,
  type Requirement,
  readIdentity,
} from '../../../identity/actor.ts';
import { callerStep } from '../idempotency/idempotency.ts';
import { hasStep } from '../kinds.ts';
import type { BegunWrite, TokenRequest, Written } from '../plan.ts';
import { keyOf } from './claim-key.ts';

/** Who writes, and the time by the database's clock. */
export type Caller = TokenCaller | NoCaller;

interface TokenCaller {
  readonly token: TokenRequest;
  readonly actor: Actor;
  readonly grant: Grant;
  /** RFC 3339. */
  readonly instant: string;
}

/** Of writes by the system or an operator. */
interface NoCaller {
  readonly token: null;
  readonly actor: null;
  /** RFC 3339. */
  readonly instant: string;
}

const beginRow = defineRow({ now: instant('clock_timestamp()::timestamptz(3)') });

/** Reads the clock, and permits locking statements, because there is no key to claim first. */
const beginWithoutToken: Statement = {
  name: 'begin_write_without_token',
  text: `SELECT ${beginRow.list}, ${setLocal('trellis.claimed', `'true'`)},
    ${setLocal('trellis.all_files', `'on'`)}`,
};

/**
 * Reads the state of the token and everything it is bound to, with the stored response, behind the access lock, which is taken with the
 * key; without a token, the lock and the clock.
 * @throws Error if the kind of the write is authorized by a token and there is none, whatever the types say
 */
export function callerSteps({ plan, scope, token }: BegunWrite): Step | readonly Step[] {
  if (token !== null) return callerStep(keyOf(token), token.context.idempotencyRetentionSeconds);
  if (plan.kind === 'upsert' || hasStep(plan.kind, 'authorize'))
    throw new Error(`a write of the kind ${plan.kind} needs a token`);
  return plan.kind === 'administration'
    ? [accessLockStep('exclusive', scope.organizationId), step(beginWithoutToken)]
    : step(beginWithoutToken);
}

/**
 * Checks token, organization, user and client; scope, module and role.
 * @throws Problem
 */
export function authorize({ token }: Pick<BegunWrite, 'token'>, found: StepResult): Caller {
  if (token === null) return { token, actor: null, instant: clockOf(beginRow.first(found)) };
  const identity = readIdentity(found);
  const { actor, grant } = authorizeToken(token, identity);
  token.context.noteUse(actor, identity);
  return { token, actor, grant, instant: clockOf(identity) };
}

/** The same caller for what turned out to be required. @throws Problem */
export function authorizeAs(caller: Caller, requirement: Requirement): Caller {
  if (caller.token === null) return caller;
  return {
    ...caller,
    token: { ...caller.token, requirement },
    grant: permit(caller.actor, requirement),
  };
}

/** The database's clock when the row was read, so that all nodes agree. */
function clockOf(row: { readonly now: string } | undefined): string {
  if (row === undefined) throw new Error('the clock was not read');
  return row.now;
}

/**
 * Makes the same checks on current state for a request that is refused for another reason: missing permission is
 * reported first.
 */
export async function authorizeOnly(
  database: Database,
  token: Pick<TokenRequest, 'credentials' | 'audience' | 'requirement'>,
): Promise<void> {
  const [found] = await database.query(token.credentials, [identityStep(token.credentials)]);
  authorizeToken(token, readIdentity(found));
}

function authorizeToken(
  { audience, requirement }: Pick<TokenRequest, 'audience' | 'requirement'>,
  identity: Identity | undefined,
): { actor: Actor; grant: Grant } {
  const actor = identify(identity, audience);
  return { actor, grant: permit(actor, requirement) };
}

/** Whether the caller may read records of a resource. */
export function mayRead(actor: Actor, resource: Written['resource']): boolean {
  const { name, module } = resource;
  const granted = findGrant(actor, {
    scopes: [scopeOf(resource, 'read')],
    module,
    permission: { resource: name, action: 'read' },
  });
  return !(granted instanceof Problem);
}
