/** A batch of writes, with everything that is known before its transaction begins, and what becomes of its items. */

import type { Problem } from '@trellis/schema/problem.ts';
import type { Step } from '../../../database/batch.ts';
import type { Requirement } from '../../../identity/actor.ts';
import type { Preconditions } from '../../entity-tags.ts';
import type { Model } from '../../model.ts';
import type { Target } from '../../storage.ts';
import type { Plan, TokenRequest, TokenWrite, UpsertPlan } from '../plan.ts';

/** One write of a batch. */
export interface BatchItem {
  readonly model: Model;
  /** The requirements of the write; for an upsert, of both possible writes. */
  readonly requirement: Requirement;
  readonly preconditions: Preconditions;
  /** Indexes of the items whose records it refers to. */
  readonly refersTo: readonly number[];
  /** Organization, caller and parent. @throws Problem not_found */
  place(): Omit<Target, 'id'>;
  /** The record that it names (uuid); null if it names none. */
  readonly recordId: string | null;
  /**
   * Plans the write.
   * @param idOf the id of the record of an earlier item, as the API shows it; null if there is none
   * @throws Problem
   */
  plan(idOf: (index: number) => string | null): PlannedItem;
}

/** A planned write of a batch. */
export interface PlannedItem {
  readonly plan: Plan | UpsertPlan;
  /** The unique values that the record gets, by which upserts may find it. */
  readonly keys: readonly string[];
  /** For an upsert: the values by which it finds its record. */
  readonly wanted: readonly string[];
}

/** The outcome of an item. */
export type BatchOutcome = DoneItem | Problem;

/** An item that was carried out. */
export interface DoneItem {
  readonly model: Model;
  /** 201, 200 or 204, the same as for a single write. */
  readonly status: number;
  /** Uuid. */
  readonly recordId: string;
  /** Null for a deletion. */
  readonly version: number | null;
}

/** A batch, with everything that is known before its transaction begins. */
export interface BatchRequest extends Pick<TokenWrite, 'scope' | 'requestId'> {
  readonly token: TokenRequest;
  readonly items: readonly BatchItem[];
  /** Reads the record that the collection of the batch is below; null if there is none. */
  readonly parent: Step | null;
  /** Whether nothing is carried out if one of them cannot be. */
  readonly atomic: boolean;
  /** The body of the response. */
  render(outcomes: readonly BatchOutcome[]): string;
  /** The status of each item in such a body, and the id of its record if it was carried out. */
  outcomesIn(body: string): readonly { readonly status: number; readonly id?: string }[];
}

/** How often a batch is begun again after a deadlock, and an upsert finds its record again. */
export const mostAttempts = 3;
