/** Compares the displayed values of a record with the stored ones, and merges them with the changes of other users. */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { areEqual, nestValues, type Values } from '../store/fields.ts';
import { type MergeResult, mergeRecord } from './merge.ts';
import { normalize, textFields, verbatimFields, withPatch } from './rebase.ts';

export class FieldComparison {
  private readonly texts: readonly string[];
  private readonly verbatim: ReadonlySet<string>;

  /** @param mergesLines whether long texts are merged line by line; otherwise the whole text is in conflict */
  constructor(resource: Resource, mergesLines: boolean) {
    this.texts = mergesLines ? textFields(resource) : [];
    this.verbatim = verbatimFields(resource);
  }

  /** The given fields whose stored values would differ between two records. */
  changedFields(one: Values, other: Values, fields: readonly string[]): string[] {
    return fields.filter((field) => !this.isSame(field, valueAt(one, field), valueAt(other, field)));
  }

  /**
   * Merges the displayed values with those of another user.
   * @param base the state that the displayed values were edited from
   */
  merge(base: Values, shown: Values, theirs: Values, fields: readonly string[]): MergeResult {
    // Whitespace that the server has trimmed does not count as an edit.
    const kept = fields.filter((field) => this.isSame(field, valueAt(shown, field), valueAt(base, field)));
    const mine = withPatch(shown, nestValues(kept.map((field) => [field, valueAt(base, field)])));
    return mergeRecord({ base, mine, theirs, fields, texts: this.texts });
  }

  /** Whether the server would store both values identically: it normalizes all texts except the verbatim ones. */
  private isSame(field: string, one: unknown, other: unknown): boolean {
    if (areEqual(one, other)) return true;
    if (this.verbatim.has(field) || typeof one !== 'string' || typeof other !== 'string') return false;
    return normalize(one) === normalize(other);
  }
}
