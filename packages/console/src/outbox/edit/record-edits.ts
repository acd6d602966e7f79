/**
 * The base state of a page and the edits on top of it: a version of the record with its pending changes. Plans the changes that store
 * unsaved edits; performs no I/O.
 */
import { etagOf } from '@trellis/client/response.ts';
import type { ApiRecord } from '../../api/api.ts';
import { FieldComparison } from '../merge/field-comparison.ts';
import type { MergeResult } from '../merge/merge.ts';
import { composeChain, withPatch, withPending } from '../merge/rebase.ts';
import { type Change, type ChangeRequest, chainFrom, commonScopes, versionBefore } from '../store/change.ts';
import { namesIn, patchOf, type Values } from '../store/fields.ts';
import { OwnChanges } from './own-changes.ts';
import type { SyncOptions } from './save-state.ts';

export class RecordEdits {
  private readonly options: SyncOptions;
  private readonly comparison: FieldComparison;
  /** The server's version, without the pending changes of this page. */
  server: ApiRecord;
  /** `server` with the changes of `own` applied: the base for comparing edits. */
  stored: Values;
  /** The changes that `stored` includes. */
  readonly own = new OwnChanges();

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
    const before = versionBefore(waiting);
    const leaves =
      before === server.version ? 'stored' : before !== null && before < server.version ? 'merged' : 'unseen';
    for (const change of waiting) this.own.add(change, leaves);
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

  /** The change that stores the edited fields, and the state after it; null when there are no edits or validation fails. */
  plan(fields: readonly string[], sessionScopes: ChangeRequest['sessionScopes']) {
    const { collect, label, path } = this.options;
    const mine = collect();
    const changed = this.accepted(mine, this.unstored(fields));
    if (changed.length === 0) return null;
    const body = patchOf(mine, changed);
    const { isNew } = this;
    const ifMatch = isNew ? null : etagOf(this.server.version);
    const added = {
      record: this.server.id,
      request: { method: isNew ? 'POST' : 'PATCH', path, body, ifMatch, sessionScopes },
      label: label(mine),
      base: isNew ? null : patchOf(this.stored, changed),
      after: this.own.lastKey(),
      coalesces: !isNew,
    } as const;
    return { added, leaves: withPatch(this.stored, body) };
  }

  /**
   * The replacement of a change that was refused for a reason other than its version. It contains the page's current values of the change's
   * fields, and of the fields that are saved with the same rights.
   * @param explicit fields of an explicit save
   * @returns null when another tab merged the change with values that this page has not displayed, or when validation fails. `amended` is
   * null when nothing is left to send.
   */
  planReplacement(refused: Change, changes: readonly Change[], explicit: readonly string[]) {
    const { collect, fields, mayAutosave } = this.options;
    const chain = chainFrom(refused, changes);
    if (!this.own.areKnown(chain)) return null;
    const { base, mine: earlier } = composeChain(chain);
    const sessionScopes = commonScopes(chain.map(({ request }) => request));
    const before = this.isNew ? this.server : withPatch(this.stored, base);
    const isSavedWith = (field: string) =>
      sessionScopes === 'drafts' ? mayAutosave(field, this.server) : explicit.includes(field);
    const replaced = fields.filter((field) => namesIn(earlier).includes(field) || isSavedWith(field));
    const mine = collect();
    if (this.accepted(mine, replaced).length < replaced.length) return null;
    const changed = this.comparison.changedFields(mine, before, replaced);
    const body = patchOf(mine, changed);
    const request = { ...refused.request, body, sessionScopes };
    return {
      chain,
      amended: changed.length === 0 ? null : { request, base: this.isNew ? null : patchOf(before, changed) },
      isExplicit: sessionScopes === undefined && explicit.length > 0,
      leaves: withPatch(before, body),
    };
  }

  /**
   * Removes discarded changes. A change that was merged with values unknown to this page includes them in its base, so the previous server
   * state becomes the base again.
   */
  forget(chain: readonly Change[]): void {
    const { base, mine } = composeChain(chain);
    const before = this.own.leaveStored(chain) ? base : patchOf(this.server, namesIn(mine));
    this.stored = withPatch(this.stored, before);
  }
}
