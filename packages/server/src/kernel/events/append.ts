/**
 * Writes events to the outbox, in the transaction of the change that they describe, so that neither exists without the
 * other. The relay moves them to the log; nothing is sent from here.
 */

import { newUuid } from '@trellis/schema/values/ids.ts';
import { type Statement, type Step, step } from '../database/batch.ts';
import { textArray } from '../database/values.ts';

/** An event of one record. */
export interface DomainEvent {
  /** `{resource}.{what}`, e.g. `article.published`. */
  readonly type: string;
  /** Singular name of the resource. */
  readonly subjectType: string;
  readonly subjectId: string;
  readonly parentId: string | null;
  /** Version of the record after the change. */
  readonly subjectVersion: number;
  /** Dotted names of the fields that changed. */
  readonly changedFields: readonly string[];
  /** Who may read the record: ids of users and names of roles; null: every member. */
  readonly readers: readonly string[] | null;
  /**
   * When the record was changed, RFC 3339: its `updatedAt`, which never goes backwards. One transaction may change several
   * records with different last changes, so each event has its own instant. The relay orders a record's events by it.
   */
  readonly occurredAt: string;
}

/** Who caused the events. */
export interface EventContext {
  readonly organizationId: string;
  readonly userId: string | null;
  readonly clientId: string | null;
  readonly tokenId: string | null;
  /** How the person of a session signed in; null for a bearer token, and where no token asked. */
  readonly methods: readonly string[] | null;
  readonly requestId: string;
}

const insertEvent: Statement = {
  name: 'append_event',
  text: `INSERT INTO trellis.outbox (organization_id, id, type, subject_type, subject_id, parent_id, subject_version,
      actor_user_id, actor_client_id, request_id, changed_fields, occurred_at, readers,
      actor_token_id, actor_methods)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
  isJoinable: true,
};

/** The steps that write events, to be sent in the transaction of the change. */
export function appendEvents(events: readonly DomainEvent[], context: EventContext): Step[] {
  return events.map((event) =>
    step(insertEvent, [
      context.organizationId,
      newUuid(),
      event.type,
      event.subjectType,
      event.subjectId,
      event.parentId,
      String(event.subjectVersion),
      context.userId,
      context.clientId,
      context.requestId,
      textArray(event.changedFields),
      event.occurredAt,
      event.readers === null ? null : textArray(event.readers),
      context.tokenId,
      context.methods === null ? null : textArray(context.methods),
    ]),
  );
}
