/** Checks a form by the rules of its resource, so that faults across fields are reported before anything is sent. */

import type { Fault } from '@trellis/schema/problem.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { checkRecord } from '@trellis/schema/validation/check-record.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { Values } from '../outbox/store/fields.ts';
import type { Draft } from './draft.ts';

/**
 * The faults of the record that a draft would make. What depends on the country of the organization is left to the server.
 * @param record as the server has it, with the changes that wait; null for a new one
 */
export function findFaults(resource: Resource, record: Values | null, draft: Draft): readonly Fault[] {
  const read = (name: string) => (Object.hasOwn(draft, name) ? draft[name] : valueAt(record ?? {}, name));
  return checkRecord(resource, read, undefined);
}
