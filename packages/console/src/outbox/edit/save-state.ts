/** What a page and `RecordSync` say to each other about saving a record. */
import type { Fault } from '@trellis/schema/problem.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { ApiRecord } from '../../api/api.ts';
import type { FieldConflict } from '../merge/merge.ts';
import type { MergingQueue } from '../send/merging-queue.ts';
import type { Refusal } from '../store/change.ts';
import type { Values } from '../store/fields.ts';

/** The queue, as far as one record uses it. */
type RecordQueue = Pick<MergingQueue, 'submit' | 'merge' | 'dismiss' | 'list'>;

/** What the page says about saving. */
export type SaveState =
  /** Everything is on the server. `at`: when it was saved (milliseconds since 1970); null when nothing was. */
  | { readonly kind: 'saved'; readonly at: number | null }
  /** The page has values that are stored nowhere. */
  | { readonly kind: 'unsaved' }
  /** Stored in this browser, and on its way. */
  | { readonly kind: 'saving' }
  /** Somebody else has changed the same, and the person has not chosen yet. */
  | { readonly kind: 'conflict' }
  /** `isRequested`: somebody has asked for what was refused, so that it is not sent again by itself. */
  | {
      readonly kind: 'refused';
      readonly refusal: Refusal;
      readonly label: string;
      readonly isRequested: boolean;
    }
  /** What was typed could not be stored in this browser: it is on the page only. */
  | { readonly kind: 'failed'; readonly error: unknown };

export interface SyncOptions {
  readonly queue: RecordQueue;
  readonly resource: Resource;
  /** `/v1/sites/…/articles/…`; of a record that does not exist yet: `/v1/sites/…/articles`. */
  readonly path: string;
  /** What the change is called where those that wait are listed. @param values the record with what was typed */
  readonly label: (values: Values) => string;
  /** Dotted names of the fields that are edited. */
  readonly fields: readonly string[];
  /** Whether a field is saved by itself, without being asked to: none of a form, and not all of an article that readers see. */
  readonly mayAutosave: (field: string, record: Values) => boolean;
  /** Finds what the rules of the resource reject; nothing of the group of fields with a fault is sent. Absent: nothing is checked. */
  readonly check?: (values: Values) => readonly Fault[];
  /** Reads the record; for a page that asks nothing, what is known of it. @throws ProblemError */
  readonly read: () => Promise<ApiRecord>;
  /** The record with what the person sees and has typed. */
  readonly collect: () => Values;
  /** Shows the server's record, and values of fields that are not the ones on the page. */
  readonly show: (record: ApiRecord, values: ReadonlyMap<string, unknown>) => void;
  /**
   * Asks which value a field is to have; it gives null when the person decides later. Null: the page asks nothing. It follows what is
   * known of the record and the changes of all tabs, says what is contested, and the queue finds the conflict when it is saved.
   */
  readonly ask:
    | ((conflicts: readonly FieldConflict[]) => Promise<ReadonlyMap<string, unknown> | null>)
    | null;
  readonly onState: (state: SaveState) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Why a request that somebody waits for was not done. */
export class RequestRefused extends Error {
  /** Null: it was given up before. */
  readonly refusal: Refusal | null;

  constructor(refusal: Refusal | null) {
    super(refusal?.reasons.join(' ') ?? 'the request was given up');
    this.name = 'RequestRefused';
    this.refusal = refusal;
  }
}
