/** An event as the outbox and the log store it. */
import { defineRow, instant, nullable, number, text, texts } from '../database/row.ts';

/** An event in the outbox, before it has a position. Ids are uuids. */
export interface AppendedEvent {
  readonly organizationId: string;
  /** UUIDv7; never changes, so that receivers can recognize duplicates. */
  readonly id: string;
  /** `{resource}.{what}`, e.g. `article.published`. */
  readonly type: string;
  /** Singular name of the resource. */
  readonly subjectType: string;
  readonly subjectId: string;
  /** The record that contains the subject, such as the site of an article. */
  readonly parentId: string | null;
  /** Version of the record after the change. */
  readonly subjectVersion: number;
  /** Null for changes that no user or client made, such as a scheduled publication. */
  readonly userId: string | null;
  readonly clientId: string | null;
  /** The token that asked; null where none did, and in events of releases that did not record it. */
  readonly tokenId: string | null;
  /** How the person of a session signed in; null for a bearer token. */
  readonly methods: readonly string[] | null;
  readonly requestId: string;
  /** Dotted names of the fields that changed. */
  readonly changedFields: readonly string[];
  /** When the change was made, RFC 3339. */
  readonly occurredAt: string;
  /** Who may read the record, as of the event: ids of users and names of roles; null: every member. */
  readonly readers: readonly string[] | null;
}

/** An event in the log. */
export interface LoggedEvent extends AppendedEvent {
  /**
   * Its number in the log of its organization: 1, 2, 3 … without gaps, and for one record in the order of its versions.
   * Exact up to 2^53, which a million events per second reach after 285 years.
   */
  readonly position: number;
}

/** The columns of an event, in the outbox and in the log. */
export const eventColumns = [
  'organization_id',
  'id',
  'type',
  'subject_type',
  'subject_id',
  'parent_id',
  'subject_version',
  'actor_user_id',
  'actor_client_id',
  'request_id',
  'changed_fields',
  'occurred_at',
  'readers',
  'actor_token_id',
  'actor_methods',
] as const;

type EventColumn = (typeof eventColumns)[number];

const eventFields = (of: (column: EventColumn) => string) => ({
  organizationId: text(of('organization_id')),
  id: text(of('id')),
  type: text(of('type')),
  subjectType: text(of('subject_type')),
  subjectId: text(of('subject_id')),
  parentId: nullable(text(of('parent_id'))),
  subjectVersion: number(of('subject_version')),
  userId: nullable(text(of('actor_user_id'))),
  clientId: nullable(text(of('actor_client_id'))),
  tokenId: nullable(text(of('actor_token_id'))),
  methods: nullable(texts(of('actor_methods'))),
  requestId: text(of('request_id')),
  changedFields: texts(of('changed_fields')),
  occurredAt: instant(of('occurred_at')),
  readers: nullable(texts(of('readers'))),
});

/** An event of the outbox. */
export const appendedEventRow = defineRow(eventFields((column) => column));
/** An event of the log, which the statement calls `e`. */
export const loggedEventRow = defineRow({
  position: number('e.position'),
  ...eventFields((column) => `e.${column}`),
});
