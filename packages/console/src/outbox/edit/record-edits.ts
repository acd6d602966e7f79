/**
 * What a page was made from, and what was typed over it: a version of the record, with the changes of it that wait. It plans the changes
 * that store the rest, and decides nothing else.
 */
import { etagOf } from '@trellis/client/response.ts';
import type { ApiRecord } from '../../api/api.ts';
import { FieldComparison } from '../merge/field-comparison.ts';
import type { MergeResult } from '../merge/merge.ts';
import { joinChain, withPatch, withWaiting } from '../merge/rebase.ts';
import { type Change, type ChangeRequest, chainFrom, commonScopes, versionBefore } from '../store/change.ts';
import { namesIn, patchOf, type Values } from '../store/fields.ts';
import { OwnChanges } from './own-changes.ts';
import type { SyncOptions } from './save-state.ts';

export class RecordEdits {
  private readonly options: SyncOptions;
  private readonly comparison: FieldComparison;
  /** As the server had it, without the changes of this page that wait. */
  server: ApiRecord;
  /** `server` with the changes of `own`: what typed values are compared with. */
  stored: Values;
  /** The changes that `stored` has. */
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

  /** Makes the page one of this version, and of the changes of it that wait. */
  take(server: ApiRecord, waiting: readonly Change[]): void {
    this.server = server;
    this.stored = withWaiting(server, waiting, this.options.resource);
    this.own.clear();
    const before = versionBefore(waiting);
    const leaves =
      before === server.version ? 'stored' : before !== null && before < server.version ? 'merged' : 'unseen';
    for (const change of waiting) this.own.add(change, leaves);
  }

  /** Whether a change does no more than change the fields of the record, or create it. */
  isEdit({ base, request: { method, path } }: Change): boolean {
    return path === this.options.path && (method === 'POST' || (method === 'PATCH' && base !== null));
  }

  /** Those of the fields whose values on the page are not stored. */
  unstored(fields: readonly string[]): string[] {
    return fields.length === 0
      ? []
      : this.comparison.changedFields(this.options.collect(), this.stored, fields);
  }

  /** Whether something is not stored that is saved by itself. */
  isUnsaved(): boolean {
    const { fields, mayAutosave } = this.options;
    return this.unstored(fields.filter((field) => mayAutosave(field, this.server))).length > 0;
  }

  /** What the page shows, merged with another state of the record. */
  merge(theirs: Values): MergeResult {
    const { collect, fields } = this.options;
    return this.comparison.merge(this.stored, collect(), theirs, fields);
  }

  /** Those of the fields in whose group the rules reject nothing that the page has. */
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

  /** The change that stores those of the fields that were changed, and what it leaves; null when none was, or the rules reject them. */
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
      joins: !isNew,
    } as const;
    return { added, leaves: withPatch(this.stored, body) };
  }

  /**
   * What takes the place of a change that was refused for another reason than its version: what the page has now in the fields that it
   * had, and in those that are saved with the rights that it had.
   * @param requested fields that somebody wants to be saved
   * @returns null when another tab has merged the change with what the page has not seen, or the rules reject it. `amended` is null when nothing is left.
   */
  planReplacement(refused: Change, changes: readonly Change[], requested: readonly string[]) {
    const { collect, fields, mayAutosave } = this.options;
    const chain = chainFrom(refused, changes);
    if (!this.own.areKnown(chain)) return null;
    const { base, mine: earlier } = joinChain(chain);
    const sessionScopes = commonScopes(chain.map(({ request }) => request));
    const before = this.isNew ? this.server : withPatch(this.stored, base);
    const isSavedWith = (field: string) =>
      sessionScopes === 'drafts' ? mayAutosave(field, this.server) : requested.includes(field);
    const replaced = fields.filter((field) => namesIn(earlier).includes(field) || isSavedWith(field));
    const mine = collect();
    if (this.accepted(mine, replaced).length < replaced.length) return null;
    const changed = this.comparison.changedFields(mine, before, replaced);
    const body = patchOf(mine, changed);
    const request = { ...refused.request, body, sessionScopes };
    return {
      chain,
      amended: changed.length === 0 ? null : { request, base: this.isNew ? null : patchOf(before, changed) },
      isRequested: sessionScopes === undefined && requested.length > 0,
      leaves: withPatch(before, body),
    };
  }

  /**
   * Takes out changes that are given up. If they were merged with what the page does not show, their base has that as well, and the page
   * was made from what the server had before.
   */
  forget(chain: readonly Change[]): void {
    const { base, mine } = joinChain(chain);
    const before = this.own.leaveStored(chain) ? base : patchOf(this.server, namesIn(mine));
    this.stored = withPatch(this.stored, before);
  }
}
