/**
 * Three-way merge of a record, field by field, from the version that was opened: after a 412 the changes of both sides are
 * kept, and only fields that both have changed differently are conflicts. Long texts are merged by lines.
 */
import { areEqual, patchOf, type Values, valueAt } from './fields.ts';
import { mergeText, resolveText, type TextPart } from './merge-text.ts';

/** The three states of a record. */
export interface MergeInput {
  /** As it was opened. */
  readonly base: Values;
  /** With what the person has typed. */
  readonly mine: Values;
  /** As the server has it now. */
  readonly theirs: Values;
  /** Dotted names of the fields that the person can change. */
  readonly fields: readonly string[];
  /** Those of them that are merged by lines, such as the body of an article. */
  readonly texts: readonly string[];
}

/** A field that both sides have changed differently. */
export interface FieldConflict {
  readonly field: string;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** For a text: its parts, of which only some are conflicts; null for other fields. */
  readonly parts: readonly TextPart[] | null;
}

export interface MergeResult {
  /** The merged values by dotted name. In a conflict they are mine, with the changes of theirs that do not touch it. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly conflicts: readonly FieldConflict[];
  /** The merge patch that makes the server's version the merged one; null when there is nothing to send. */
  readonly patch: Record<string, unknown> | null;
}

/** Merges a record. */
export function mergeRecord({ base, mine, theirs, fields, texts }: MergeInput): MergeResult {
  const values = new Map<string, unknown>();
  const conflicts: FieldConflict[] = [];
  for (const field of fields) {
    const [from, left, right] = [valueAt(base, field), valueAt(mine, field), valueAt(theirs, field)];
    if (areEqual(left, right) || areEqual(left, from)) {
      values.set(field, right ?? null);
    } else if (areEqual(right, from)) {
      values.set(field, left ?? null);
    } else {
      const parts = texts.includes(field) ? mergeTexts(from, left, right) : null;
      const isMerged = parts?.every(({ kind }) => kind === 'merged') === true;
      values.set(field, parts === null ? (left ?? null) : resolveText(parts, 'mine'));
      if (!isMerged) conflicts.push({ field, base: from, mine: left, theirs: right, parts });
    }
  }
  const changed = fields.filter((field) => !areEqual(values.get(field), valueAt(theirs, field)));
  const patch = changed.length === 0 ? null : patchOf(nest(values), changed);
  return { values, conflicts, patch };
}

/** Null when one of them is no text: it was emptied, or did not exist. */
function mergeTexts(base: unknown, mine: unknown, theirs: unknown): TextPart[] | null {
  if (typeof mine !== 'string' || typeof theirs !== 'string') return null;
  return mergeText(typeof base === 'string' ? base : '', mine, theirs);
}

/** Values by dotted name as the object that they are in a record. */
function nest(values: ReadonlyMap<string, unknown>): Values {
  const record: Record<string, unknown> = {};
  for (const [name, value] of values) {
    const [group, inner] = name.split('.', 2);
    if (group === undefined) continue;
    if (inner === undefined) record[group] = value;
    else record[group] = { ...(record[group] as Values | undefined), [inner]: value };
  }
  return record;
}
