/**
 * Events of signing in. A person may be a member of several organizations, each with its own log: changes of credentials are
 * logged in all of them, events of a session where it was entered.
 */
import { type Row, type Statement, type Step, step } from '../../kernel/database/batch.ts';
import { instant as instantColumn, number, text } from '../../kernel/database/row.ts';
import { appendEvents, type DomainEvent } from '../../kernel/events/append.ts';

/** The roles that manage members, tokens and webhook endpoints. */
export const administrators: readonly string[] = ['OWNER', 'ADMIN'];

/** Who may read events about a person's sessions and credentials: administrators, and the person (uuid). */
function readersOfPerson(userId: string): readonly string[] {
  return [...administrators, userId];
}

/** Whom the events are about, who caused them, and when. */
export interface PersonEventContext {
  /** Uuid of the person. */
  readonly userId: string;
  /** Uuid of the actor: the person; null for an operator. */
  readonly actorId: string | null;
  readonly requestId: string;
  /** RFC 3339. */
  readonly instant: string;
}

/** What happened to a person's credentials: the last part of an event's type. */
type CredentialEventKind =
  | 'password_changed'
  | 'factor_added'
  | 'factor_replaced'
  | 'factor_removed'
  | 'link_redeemed'
  | 'account_disabled'
  | 'account_enabled';

/** A change of a person's credentials. */
export interface CredentialEvent {
  readonly what: CredentialEventKind;
  /** The changed factors, by their names in the response that lists the factors. */
  readonly changed: readonly string[];
}

const readMemberships: Statement = {
  name: 'sign_in_memberships',
  text: 'SELECT organization_id, version FROM trellis.memberships WHERE user_id = $1',
};

/** Reads the organizations whose logs tell of a person, with the version of the member in each. */
export function membershipsStep(userId: string): Step {
  return step(readMemberships, [userId]);
}

/**
 * The steps that append events of a person's credentials.
 * @param memberships as `membershipsStep` reads them
 */
export function credentialEventSteps(
  memberships: readonly Row[],
  events: readonly CredentialEvent[],
  context: PersonEventContext,
): Step[] {
  return memberships.flatMap(([organizationId, version]) =>
    append(
      organizationId,
      null,
      events.map(({ what, changed }) => ({
        ...eventOf(context, 'member', context.userId, what, changed),
        // Credentials are not part of the member, whose version does not change.
        subjectVersion: Number(version),
      })),
      context,
    ),
  );
}

/** A session in an organization that it was entered in; uuids. */
export interface EnteredSession {
  readonly sessionId: string;
  readonly organizationId: string;
  /** The client of the console. */
  readonly clientId: string;
}

/** The steps that append an event of each session, in the organization that it was entered in. */
export function sessionEventSteps(
  sessions: readonly EnteredSession[],
  what: 'created' | 'updated' | 'deleted',
  changed: readonly string[],
  context: PersonEventContext,
): Step[] {
  return sessions.flatMap(({ sessionId, organizationId, clientId }) =>
    append(organizationId, clientId, [eventOf(context, 'session', sessionId, what, changed)], context),
  );
}

/** The event of a session that has ended, of the person and at the instant. @param sessionId uuid */
export function sessionDeleted(
  sessionId: string,
  context: Pick<PersonEventContext, 'userId' | 'instant'>,
): DomainEvent {
  return eventOf(context, 'session', sessionId, 'deleted', []);
}

/** The columns of `trellis.tokens t` that the event of a revoked token needs. */
export const revokedToken = {
  id: text('t.id'),
  version: number('t.version'),
  updatedAt: instantColumn('t.updated_at'),
};

/** The event of a token that is revoked. A record's clock never goes backwards. @param instant RFC 3339 */
export function tokenDeleted(
  { id, version, updatedAt }: { readonly id: string; readonly version: number; readonly updatedAt: string },
  instant: string,
): DomainEvent {
  return {
    type: 'token.deleted',
    subjectType: 'token',
    subjectId: id,
    parentId: null,
    subjectVersion: version + 1,
    changedFields: [],
    readers: null,
    occurredAt: updatedAt > instant ? updatedAt : instant,
  };
}

/** An event about a record that changed together with a person. Such records have no parent. */
export type RecordEvent = Omit<DomainEvent, 'parentId'>;

/** The steps that append events of records of an organization, which tell of themselves who may read them. */
export function recordEventSteps(
  organizationId: string,
  events: readonly RecordEvent[],
  context: PersonEventContext,
): Step[] {
  return append(
    organizationId,
    null,
    events.map((event) => ({ ...event, parentId: null })),
    context,
  );
}

function eventOf(
  { userId, instant }: Pick<PersonEventContext, 'userId' | 'instant'>,
  subjectType: 'member' | 'session',
  subjectId: string,
  what: string,
  changedFields: readonly string[],
): DomainEvent {
  return {
    type: `${subjectType}.${what}`,
    subjectType,
    subjectId,
    parentId: null,
    // Sessions have no versions: their events are ordered by their instants.
    subjectVersion: 1,
    changedFields,
    readers: readersOfPerson(userId),
    occurredAt: instant,
  };
}

function append(
  organizationId: string | null | undefined,
  clientId: string | null,
  events: readonly DomainEvent[],
  { actorId, requestId }: PersonEventContext,
): Step[] {
  if (organizationId == null) throw new TypeError('an event of a person belongs to an organization');
  return appendEvents(events, {
    organizationId,
    userId: actorId,
    clientId,
    tokenId: null,
    methods: null,
    requestId,
  });
}
