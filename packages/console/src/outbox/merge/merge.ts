/**
 * Three-way merge of a record by field, with the opened version as base. After a 412 it keeps the changes of both sides; only fields that
 * both changed differently are conflicts. Long texts are merged by lines.
 */
import { valueAt } from '@trellis/schema/values/paths.ts';
import { areEqual, nestValues, type Values } from '../store/fields.ts';
import { mergeText, resolveText, type TextPart } from './merge-text.ts';

/** The three states of a record. */
export interface MergeInput {
  /** The version that was opened. */
  readonly base: Values;
  /** That version with the user's edits. */
  readonly mine: Values;
  /** The server's current version. */
  readonly theirs: Values;
  /** Dotted names of the editable fields. */
  readonly fields: readonly string[];
  /** The fields that are merged by lines, such as the body of an article. */
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
  /** The merged values by dotted name. A conflicting field has my value; a text also has their separate changes. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly conflicts: readonly FieldConflict[];
  /** The merge patch from the server's version to the merged one; null when there is nothing to send. */
  readonly patch: Record<string, unknown> | null;
}

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
  const changed = [...values].filter(([field, value]) => !areEqual(value, valueAt(theirs, field)));
  const patch = changed.length === 0 ? null : nestValues(changed);
  return { values, conflicts, patch };
}

/** Null when one of the values is not a text. */
function mergeTexts(base: unknown, mine: unknown, theirs: unknown): TextPart[] | null {
  if (typeof mine !== 'string' || typeof theirs !== 'string') return null;
  return mergeText(typeof base === 'string' ? base : '', mine, theirs);
}

/** The chosen side of a conflict; `both` (mine, then theirs) applies to a passage of a text only. */
export type Side = 'mine' | 'theirs' | 'both';

/** One decision in a conflict: a field, or a passage of a text that both sides changed. */
export interface ConflictPlace {
  /** Unique within the record. */
  readonly key: string;
  readonly field: string;
  /** Number of the passage in the text, from 1; null for a whole field. */
  readonly number: number | null;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

/** The places of conflicts, in order. */
export function placesOf(conflicts: readonly FieldConflict[]): ConflictPlace[] {
  return conflicts.flatMap(({ field, base, mine, theirs, parts }): ConflictPlace[] => {
    if (parts === null) return [{ key: field, field, number: null, base, mine, theirs }];
    return conflictingParts(parts).map((part, index) => ({
      ...part,
      key: keyOf(field, index + 1),
      field,
      number: index + 1,
    }));
  });
}

/**
 * The resolved values of the conflicting fields, by dotted name.
 * @param chosen the side of each place, by its key; mine by default
 */
export function resolveConflicts(
  conflicts: readonly FieldConflict[],
  chosen: Readonly<Record<string, Side>>,
): Map<string, unknown> {
  return new Map(
    conflicts.map((conflict) => {
      const { field, parts } = conflict;
      if (parts === null)
        return [field, (chosen[field] === 'theirs' ? conflict.theirs : conflict.mine) ?? null];
      let number = 0;
      const pieces = parts.map((part) => {
        if (part.kind === 'merged') return part.text;
        number += 1;
        const side = chosen[keyOf(field, number)] ?? 'mine';
        return side === 'both' ? joinPassages(part.mine, part.theirs) : part[side];
      });
      return [field, pieces.join('')];
    }),
  );
}

/** Ensures a line end between the passages: the last line of a text often has none, so the next passage would continue that line. */
function joinPassages(mine: string, theirs: string): string {
  if (mine === '' || theirs === '' || /[\r\n]$/.test(mine)) return `${mine}${theirs}`;
  const end = /\r\n|\r|\n/.exec(theirs)?.[0] ?? '\n';
  return `${mine}${end}${end}${theirs}`;
}

function conflictingParts(parts: readonly TextPart[]) {
  return parts.filter((part) => part.kind === 'conflict');
}

function keyOf(field: string, number: number): string {
  return `${field} ${number}`;
}
