/** An event as the outbox and the log store it: its columns and their decoding. */
import type { Row } from '../database/batch.ts';
import { parseTextArray, parseTimestamp } from '../database/values.ts';

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

/** The columns of an event, in the outbox and in the log, in the order that `decodeEvent` expects. */
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

/** Decodes a row of `eventColumns`. */
export function decodeEvent(row: Row): AppendedEvent {
  const [
    organizationId,
    id,
    type,
    subjectType,
    subjectId,
    parentId,
    subjectVersion,
    userId,
    clientId,
    requestId,
    changedFields,
    occurredAt,
    readers,
    tokenId,
    methods,
  ] = row;
  return {
    organizationId: organizationId ?? '',
    id: id ?? '',
    type: type ?? '',
    subjectType: subjectType ?? '',
    subjectId: subjectId ?? '',
    parentId: parentId ?? null,
    subjectVersion: Number(subjectVersion),
    userId: userId ?? null,
    clientId: clientId ?? null,
    tokenId: tokenId ?? null,
    methods: methods == null ? null : parseTextArray(methods),
    requestId: requestId ?? '',
    changedFields: parseTextArray(changedFields ?? '{}'),
    occurredAt: parseTimestamp(occurredAt ?? ''),
    readers: readers == null ? null : parseTextArray(readers),
  };
}
