/** Compares what a page shows of a record with what is stored, and merges it with what others have stored. */

import type { Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { areEqual, nestValues, type Values } from '../store/fields.ts';
import { type MergeResult, mergeRecord } from './merge.ts';
import { normalize, textFields, verbatimFields, withPatch } from './rebase.ts';

/** Comparison of the fields of one resource. */
export class FieldComparison {
  private readonly texts: readonly string[];
  private readonly verbatim: ReadonlySet<string>;

  /** @param mergesLines whether long texts are merged by lines; otherwise they are in conflict as a whole */
  constructor(resource: Resource, mergesLines: boolean) {
    this.texts = mergesLines ? textFields(resource) : [];
    this.verbatim = verbatimFields(resource);
  }

  /** Those of the fields in which two records differ for the server. */
  changedFields(one: Values, other: Values, fields: readonly string[]): string[] {
    return fields.filter((field) => !this.isSame(field, valueAt(one, field), valueAt(other, field)));
  }

  /**
   * Merges what a page shows with what others have stored.
   * @param base what the page was made from
   */
  merge(base: Values, shown: Values, theirs: Values, fields: readonly string[]): MergeResult {
    // Spaces that the server has trimmed are no change of the person.
    const kept = fields.filter((field) => this.isSame(field, valueAt(shown, field), valueAt(base, field)));
    const mine = withPatch(shown, nestValues(kept.map((field) => [field, valueAt(base, field)])));
    return mergeRecord({ base, mine, theirs, fields, texts: this.texts });
  }

  /** Whether the server would store both as the same: it normalizes all texts but the verbatim ones. */
  private isSame(field: string, one: unknown, other: unknown): boolean {
    if (areEqual(one, other)) return true;
    if (this.verbatim.has(field) || typeof one !== 'string' || typeof other !== 'string') return false;
    return normalize(one) === normalize(other);
  }
}
