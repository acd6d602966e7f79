/** Prepares a row: converts its cells to values, determines what identifies it, and checks it by the rules of the API. */

import { flattenFields, type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import { renderValue } from '@trellis/schema/validation/values.ts';
import { normalizeText } from '@trellis/schema/values/text.ts';
import { checkBody, nest } from './body.ts';
import { type BuiltRecord, buildRecord } from './build-record.ts';
import { importOf } from './destinations.ts';
import { RowRejected } from './errors.ts';
import { deriveRowKey, uniqueValues } from './identity.ts';
import { deriveExternalId } from './keys.ts';
import type { Mapping } from './mapping.ts';
import type { Parent } from './parents.ts';
import { readPost } from './posts.ts';
import type { SourceRow } from './source.ts';

export interface PrepareOptions {
  /** Whether rows are posts of a site generator. */
  readonly isPosts: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A row with everything that can be determined without the server. */
export interface PreparedRow {
  readonly built: BuiltRecord;
  /** The target status; null when the row has none. */
  readonly status: string | null;
  readonly externalId: string;
  /** Whether the row contains the externalId. */
  readonly isGiven: boolean;
  /** Whether the row is a record of an export. */
  readonly isExported: boolean;
  /** Its id in the exported organization; null for other rows. */
  readonly formerId: string | null;
  readonly unique: readonly string[];
}

/** Determines what is possible without the server. @throws RowRejected with all faults of the row */
export function prepareRow(
  resource: Resource,
  mapping: Mapping,
  row: SourceRow,
  parent: Parent,
  { isPosts, now }: PrepareOptions,
): PreparedRow {
  const isExported = row.exportedAs === resource.name;
  const mapped = mapping.map(row, isExported);
  const built = buildRecord(resource, mapped, isPosts);
  const { values, faults } = built;
  const { posts } = importOf(resource);
  const status =
    isPosts && posts !== undefined
      ? readPost(posts, mapped.values, built, now)
      : takeStatus(resource, values, faults);
  const id = isExported ? row.fields.get('id') : undefined;
  const formerId = typeof id === 'string' ? id : null;
  const given = values.get('externalId') ?? formerId;
  const isGiven = typeof given === 'string' && given.trim() !== '';
  const keyOfSource = row.key === null ? null : deriveExternalId(parent.name, row.key);
  const ownKey = isGiven ? normalizeText(given) : keyOfSource;
  // Ids are checked after they were resolved.
  const withoutIds = flattenFields(resource).filter(
    ([name, field]) => values.has(name) && renderValue(field) === null,
  );
  const body = checkBody(resource, nest(withoutIds.map(([name]) => [name, values.get(name)])), faults);
  if (faults.length > 0) throw new RowRejected(faults, ownKey, values);
  const externalId = ownKey ?? deriveRowKey(resource, parent.id, body);
  if (externalId === null) {
    throw new RowRejected(['Nothing in the row identifies its record. Name a column that does as its key.']);
  }
  const unique = uniqueValues(resource, parent.id, body);
  return { built, status, externalId, isGiven, isExported, formerId, unique };
}

/** Takes the status from the values of a row. An unknown status is a fault. */
function takeStatus(resource: Resource, values: Map<string, unknown>, faults: string[]): string | null {
  const declared = statusOf(resource);
  if (declared === null) return null;
  const status = values.get(declared.field);
  if (typeof status !== 'string') return null;
  if (!(status in declared.transitions.allowed)) {
    const known = Object.keys(declared.transitions.allowed).join(', ');
    faults.push(`${declared.field}: "${status}" is not one of ${known}.`);
  }
  values.delete(declared.field);
  return status;
}
