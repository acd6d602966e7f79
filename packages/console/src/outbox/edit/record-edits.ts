/**
 * The base state of a page and the edits on top of it: a version of the record with its pending changes. Plans the changes that store
 * unsaved edits; performs no I/O.
 */
import { etagOf } from '@trellis/client/response.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { ApiRecord } from '../../api/api.ts';
import { FieldComparison } from '../merge/field-comparison.ts';
import type { MergeResult } from '../merge/merge.ts';
import { withPatch, withPending } from '../merge/rebase.ts';
import { type Change, type ChangeRequest, isAutosave, type NewChange } from '../store/change.ts';
import { composePatches } from '../store/change-store.ts';
import { areEqual, namesIn, patchOf, type Values } from '../store/fields.ts';
import type { SyncOptions } from './save-state.ts';

export class RecordEdits {
  private readonly options: SyncOptions;
  private readonly comparison: FieldComparison;
  /** The server's version, without the pending changes. */
  server: ApiRecord;
  /** `server` with the changes of `own` applied: the base for comparing edits. */
  stored: Values;
  /** The changes that the page made or displays: `key` by `sequence`. Another key means that a change contains more than the page knows. */
  readonly own = new Map<number, string>();

  constructor(options: SyncOptions, server: ApiRecord, waiting: readonly Change[]) {
    this.options = options;
    this.comparison = new FieldComparison(options.resource, options.ask !== null);
    this.server = server;
    this.stored = server;
    this.take(server, waiting);
  }

  /** Whether the record does not exist yet. */
  get isNew(): boolean {
    return this.server.version === 0;
  }

  /** Resets the base to this version and its pending changes. */
  take(server: ApiRecord, waiting: readonly Change[]): void {
    this.server = server;
    this.stored = withPending(server, waiting, this.options.resource);
    this.own.clear();
    for (const change of waiting) this.add(change);
  }

  add({ sequence, key }: Change): void {
    this.own.set(sequence, key);
  }

  /** Whether the page displays all of these changes as they are stored. */
  areKnown(changes: readonly Change[]): boolean {
    return changes.every(({ sequence, key }) => this.own.get(sequence) === key);
  }

  /** The refused change to report: a change of this page first, then one of another tab. */
  findRefused(changes: readonly Change[]): Change | undefined {
    const refused = changes.filter(({ refusal }) => refusal !== null);
    return refused.find(({ sequence }) => this.own.has(sequence)) ?? refused[0];
  }

  /** Whether a change only edits fields of the record, or creates it. */
  isEdit({ base, request: { method, path } }: Change): boolean {
    return path === this.options.path && (method === 'POST' || (method === 'PATCH' && base !== null));
  }

  /** The given fields whose values on the page are not stored. */
  unstored(fields: readonly string[]): string[] {
    return fields.length === 0
      ? []
      : this.comparison.changedFields(this.options.collect(), this.stored, fields);
  }

  /** Whether there are unsaved edits in autosaved fields. */
  isUnsaved(): boolean {
    const { fields, mayAutosave } = this.options;
    return this.unstored(fields.filter((field) => mayAutosave(field, this.server))).length > 0;
  }

  /** Merges the edits with another state of the record. */
  merge(theirs: Values): MergeResult {
    const { collect, fields } = this.options;
    return this.comparison.merge(this.stored, collect(), theirs, fields);
  }

  /** The change that stores the edited fields; null when there are no edits or validation fails. */
  plan(fields: readonly string[], sessionScopes: ChangeRequest['sessionScopes']): NewChange | null {
    const { collect, label, path } = this.options;
    const mine = collect();
    const changed = this.accepted(mine, this.unstored(fields));
    if (changed.length === 0) return null;
    const { isNew } = this;
    const ifMatch = isNew ? null : etagOf(this.server.version);
    return {
      record: this.server.id,
      request: {
        method: isNew ? 'POST' : 'PATCH',
        path,
        body: patchOf(mine, changed),
        ifMatch,
        sessionScopes,
      },
      label: label(mine),
      base: isNew ? null : patchOf(this.stored, changed),
    };
  }

  /**
   * Plans the changes that replace a refused one and the edits after it with the current values of the page. `stored` becomes the state
   * before them.
   * @param explicit fields of an explicit save
   * @returns null when one of them contains what this page does not display, or when validation fails. `undo` restores `stored`
   */
  planReplacement(replaced: readonly Change[], explicit: readonly string[]) {
    const { collect, fields, mayAutosave } = this.options;
    const names = (isDraft: boolean) =>
      replaced
        .filter((change) => isAutosave(change) === isDraft)
        .flatMap(({ request }) => namesIn({ ...request.body }));
    const saved = new Set([...explicit, ...names(false)]);
    const drafts = fields.filter((field) => mayAutosave(field, this.server) || names(true).includes(field));
    const needed = [...saved, ...names(true)];
    if (!this.areDisplayed(replaced) || this.accepted(collect(), needed).length < needed.length) return null;
    const [stored, own] = [this.stored, [...this.own]];
    this.forget(replaced);
    const added = [
      this.plan([...saved], undefined),
      this.plan(
        drafts.filter((field) => !saved.has(field)),
        'drafts',
      ),
    ];
    const undo = () => {
      this.stored = stored;
      for (const [sequence, key] of own) this.own.set(sequence, key);
    };
    return { added: added.filter((one) => one !== null), undo };
  }

  /** Whether the page displays the values that these changes leave. */
  private areDisplayed(changes: readonly Change[]): boolean {
    const left = changes.reduce<Values>((patch, { request }) => composePatches(patch, request.body), {});
    const displays = (field: string) => areEqual(valueAt(left, field), valueAt(this.stored, field));
    return this.areKnown(changes) && namesIn(left).every(displays);
  }

  /**
   * Removes discarded changes. One that was merged includes values unknown to this page in its base, so the server's state becomes the base
   * again.
   */
  forget(changes: readonly Change[]): void {
    for (const change of changes.toReversed()) {
      const { base, request, sequence } = change;
      const isKnown = this.areKnown([change]) && base !== null;
      this.stored = withPatch(
        this.stored,
        isKnown ? base : patchOf(this.server, namesIn({ ...request.body })),
      );
      this.own.delete(sequence);
    }
  }

  /** The given fields whose group passes validation. */
  private accepted(mine: Values, fields: readonly string[]): readonly string[] {
    const faults = fields.length === 0 ? [] : (this.options.check?.(mine) ?? []);
    const groupOf = (field: string) =>
      `/${field
        .split('.')
        .slice(0, -1)
        .map((name) => `${name}/`)
        .join('')}`;
    return fields.filter((field) => !faults.some(({ pointer = '' }) => pointer.startsWith(groupOf(field))));
  }
}
