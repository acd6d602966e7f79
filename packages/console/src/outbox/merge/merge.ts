/**
 * Three-way merge of a record, field by field, from the version that was opened: after a 412 the changes of both sides are
 * kept, and only fields that both have changed differently are conflicts. Long texts are merged by lines.
 */
import { valueAt } from '@trellis/schema/values/paths.ts';
import { areEqual, nestValues, type Values } from '../store/fields.ts';
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
  const changed = [...values].filter(([field, value]) => !areEqual(value, valueAt(theirs, field)));
  const patch = changed.length === 0 ? null : nestValues(changed);
  return { values, conflicts, patch };
}

/** Null when one of them is no text: it was emptied, or did not exist. */
function mergeTexts(base: unknown, mine: unknown, theirs: unknown): TextPart[] | null {
  if (typeof mine !== 'string' || typeof theirs !== 'string') return null;
  return mergeText(typeof base === 'string' ? base : '', mine, theirs);
}

/** The sides of a conflict; both: mine and then theirs, of a passage of a text only. */
export type Side = 'mine' | 'theirs' | 'both';

/** What is decided by itself in a conflict: a field, or each passage of a text that both sides have changed. */
export interface ConflictPlace {
  /** Names the place among those of the record. */
  readonly key: string;
  readonly field: string;
  /** Which passage of the text it is, from 1; null for a whole field. */
  readonly number: number | null;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

/** The places of conflicts, in their order. */
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
 * The values of the fields in conflicts, by dotted name.
 * @param chosen the side of each place, by its key; mine where none was chosen
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

/** One after the other. The last line of a text often has no end: without one the other side would go on in it. */
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
