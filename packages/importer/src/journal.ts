/** What an import has written, as far as it is needed to undo it. */

import { isPlainObject } from '@trellis/schema/values/plain-object.ts';

/** A write of an import. */
export interface JournalEntry {
  readonly resource: string;
  /** '' for resources without a parent. */
  readonly parentId: string;
  readonly recordId: string;
  /** The version that was changed; 0 when the record was created. */
  readonly from: number;
  /** The version that was written. */
  readonly to: number;
  /** What the changed fields had before, by dotted name; empty when the record was created. */
  readonly before: Readonly<Record<string, unknown>>;
}

/** Keeps the writes of an import. Called after each write and before the next one of the same row. */
export type Journal = (entry: JournalEntry) => Promise<void>;

/** The entry in a line of a file; null when it is none, such as the last line of an import that was killed. */
export function readEntry(value: unknown): JournalEntry | null {
  if (!isPlainObject(value) || !isPlainObject(value.before)) return null;
  const { resource, parentId, recordId, from, to, before } = value;
  if (typeof resource !== 'string' || typeof parentId !== 'string' || typeof recordId !== 'string')
    return null;
  if (typeof from !== 'number' || typeof to !== 'number') return null;
  return { resource, parentId, recordId, from, to, before };
}
