/** Why: the outbox and the log hold the same event; its columns and its decoding stand here once, for both. */
import type { Row } from '../database/flight.ts';
import { parseTextArray, parseTimestamp } from '../database/values.ts';

/** An event as it was appended, before it has a position. Ids are uuids. */
export interface AppendedEvent {
  readonly organizationId: string;
  /** UUIDv7; never changes, so that a receiver knows an event that it gets twice. */
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
  /** Null for what no user or client did, such as a scheduled publication. */
  readonly userId: string | null;
  readonly clientId: string | null;
  readonly requestId: string;
  /** Dotted names of the fields that changed. */
  readonly changedFields: readonly string[];
  /** When the change was made, RFC 3339. */
  readonly occurredAt: string;
  /** Who may read the record, as it was then: ids of users and names of roles; null: every member. */
  readonly readers: readonly string[] | null;
}

/** An event of the log. */
export interface LoggedEvent extends AppendedEvent {
  /**
   * Its number in the log of its organization: 1, 2, 3 … without gaps, and for one record in the order of its
   * versions. Exact up to 2^53, which a million events a second reach after 285 years.
   */
  readonly position: number;
}

/** The columns of an event in the order that `decodeEvent` takes them, in the outbox and in the log. */
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
    requestId: requestId ?? '',
    changedFields: parseTextArray(changedFields ?? '{}'),
    occurredAt: parseTimestamp(occurredAt ?? ''),
    readers: readers == null ? null : parseTextArray(readers),
  };
}
