/** The step `appendEvent`: appends the events of a change to the outbox, in the same transaction. */

import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import type { Step } from '../../../database/batch.ts';
import { appendEvents, type DomainEvent } from '../../../events/append.ts';
import type { Model } from '../../model.ts';
import type { WriteKind } from '../kinds.ts';
import type { Outcome, WriteRequest } from '../plan.ts';
import type { Caller } from './authorize.ts';

/** The steps that append the events of an outcome. */
export function appendEvent(
  { scope, requestId }: WriteRequest,
  { actor }: Caller,
  { events = [] }: Outcome<WriteKind>,
): Step[] {
  const { organizationId, userId } = scope;
  return appendEvents(events, {
    organizationId,
    userId,
    clientId: actor?.clientId ?? null,
    tokenId: actor?.tokenId ?? null,
    methods: actor?.session?.methods ?? null,
    requestId,
  });
}

/**
 * The event of a change of a record.
 * @param what last part of the type: `created`, `published`, …
 * @param changed dotted names of the fields that changed
 */
export function eventOf(
  { resource, rules }: Model,
  record: StoredRecord,
  what: string,
  changed: readonly string[],
): DomainEvent {
  return {
    type: `${resource.singular}.${what}`,
    subjectType: resource.singular,
    subjectId: record.id,
    parentId: record.parentId,
    subjectVersion: record.version,
    changedFields: changed,
    readers: rules.readers?.(record.values) ?? null,
    occurredAt: record.updatedAt,
  };
}
