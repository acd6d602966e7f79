/** The types shared by a page and `RecordSync`. */
import type { Fault } from '@trellis/schema/problem.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { ApiRecord } from '../../api/api.ts';
import type { FieldConflict } from '../merge/merge.ts';
import type { ChangeQueue } from '../send/queue.ts';
import type { Values } from '../store/fields.ts';
import type { Refusal } from '../store/refusal.ts';

/** The part of the queue that one record uses. */
type RecordQueue = Pick<ChangeQueue, 'submit' | 'retry' | 'replace' | 'merge' | 'dismiss' | 'list'>;

/** The save state that the page displays. */
export type SaveState =
  /** Everything is on the server. `at`: time of the last save (milliseconds since 1970); null when there was none. */
  | { readonly kind: 'saved'; readonly at: number | null }
  /** The page has values that are not stored anywhere. */
  | { readonly kind: 'unsaved' }
  /** Stored in this browser and being sent. */
  | { readonly kind: 'saving' }
  /** Another user changed the same fields, and the conflict is not resolved yet. */
  | { readonly kind: 'conflict' }
  /** `isExplicit`: the refused change was saved explicitly, so it is not resent automatically. */
  | {
      readonly kind: 'refused';
      readonly refusal: Refusal;
      readonly label: string;
      readonly isExplicit: boolean;
    }
  /** The browser could not store the edits: they exist only on the page. */
  | { readonly kind: 'failed'; readonly error: unknown };

export interface SyncOptions {
  readonly queue: RecordQueue;
  readonly resource: Resource;
  /** `/v1/sites/…/articles/…`; for a new record the collection: `/v1/sites/…/articles`. */
  readonly path: string;
  /** Label of the change in the list of pending changes. @param values the record with the edits */
  readonly label: (values: Values) => string;
  /** Dotted names of the editable fields. */
  readonly fields: readonly string[];
  /** Whether a field is saved automatically: never in a form, and not in fields of an article that readers see. */
  readonly mayAutosave: (field: string, record: Values) => boolean;
  /** Validates the values; a group of fields with a fault is not sent. Absent: no validation. */
  readonly check?: (values: Values) => readonly Fault[];
  /** Reads the record, or returns the cached one where `ask` is null. @throws ProblemError */
  readonly read: () => Promise<ApiRecord>;
  /** The record with the displayed and edited values. */
  readonly collect: () => Values;
  /** Displays the server's record, with values that differ from those on the page. */
  readonly show: (record: ApiRecord, values: ReadonlyMap<string, unknown>) => void;
  /**
   * Shows the conflict dialog; resolves with null when the user postpones the decision. Null: the page has no dialog. It then displays the
   * cached record with the changes of all tabs and marks conflicting fields; the queue detects the conflict on saving.
   */
  readonly ask:
    | ((conflicts: readonly FieldConflict[]) => Promise<ReadonlyMap<string, unknown> | null>)
    | null;
  readonly onState: (state: SaveState) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Why a request that a caller awaits was not carried out. */
export class RequestRefused extends Error {
  /** Null when the request was discarded before. */
  readonly refusal: Refusal | null;

  constructor(refusal: Refusal | null) {
    super(refusal?.reasons.join(' ') ?? 'the request was given up');
    this.name = 'RequestRefused';
    this.refusal = refusal;
  }
}
