/**
 * The budget of stored responses. A small PATCH of a large record has a large response, so limits of request rates do
 * not bound how much an organization stores. Only large responses that show a record count, because they can be
 * rendered again. Each process limits how fast they are stored; a sweep limits the total.
 */

import { type Statement, step } from '../../../database/batch.ts';
import { batchRows, deleteInBatches } from '../../../database/delete-in-batches.ts';
import type { BackgroundDatabase } from '../../../database/parts.ts';

/** Bodies up to this many bytes of UTF-8 do not count. The index `idempotency_keys_large` has the same number. */
export const smallBodyBytes = 4_096;

/** How fast a process stores large bodies of an organization. */
export interface AllowanceRate {
  /** Bytes that may be stored at once. */
  readonly burstBytes: number;
  /** Bytes per second after that. */
  readonly bytesPerSecond: number;
}

const defaultRate: AllowanceRate = { burstBytes: 64 * 1_048_576, bytesPerSecond: 1_048_576 };
/** Maximum number of remembered organizations; beyond it, those with a full allowance are forgotten. */
const remembered = 1_000;

interface Allowance {
  bytes: number;
  readAtMs: number;
}

/** Limits how fast large bodies are stored, by organization, in this process. */
export class ResponseAllowances {
  private readonly rate: AllowanceRate;
  private readonly allowances = new Map<string, Allowance>();

  constructor(rate = defaultRate) {
    this.rate = rate;
  }

  /**
   * Whether a body may be stored; if so, it is counted.
   * @param nowMs by the monotonic clock
   */
  take(organizationId: string, bytes: number, nowMs: number): boolean {
    if (bytes <= smallBodyBytes) return true;
    const allowance = this.read(organizationId, nowMs);
    if (allowance.bytes < bytes) return false;
    allowance.bytes -= bytes;
    return true;
  }

  private read(organizationId: string, nowMs: number): Allowance {
    const known = this.allowances.get(organizationId);
    if (known !== undefined) {
      known.bytes = this.available(known, nowMs);
      known.readAtMs = nowMs;
      return known;
    }
    if (this.allowances.size >= remembered) this.forgetFull(nowMs);
    const made = { bytes: this.rate.burstBytes, readAtMs: nowMs };
    this.allowances.set(organizationId, made);
    return made;
  }

  private forgetFull(nowMs: number): void {
    for (const [organizationId, allowance] of this.allowances) {
      if (this.available(allowance, nowMs) === this.rate.burstBytes) this.allowances.delete(organizationId);
    }
  }

  private available({ bytes, readAtMs }: Allowance, nowMs: number): number {
    const { burstBytes, bytesPerSecond } = this.rate;
    return Math.min(burstBytes, bytes + ((nowMs - readAtMs) / 1_000) * bytesPerSecond);
  }
}

const isLarge = `shows_record AND body_bytes > ${smallBodyBytes}`;

const measure: Statement = {
  name: 'measure_stored_responses',
  text: `SELECT organization_id, sum(body_bytes) FROM trellis.idempotency_keys WHERE ${isLarge}
    GROUP BY organization_id HAVING sum(body_bytes) > $1`,
};
/** The newest time whose response exceeds the budget together with all newer ones. */
const findCut: Statement = {
  name: 'find_stored_responses_cut',
  text: `SELECT created_at FROM (
      SELECT created_at, sum(body_bytes) OVER (ORDER BY created_at DESC) AS bytes
      FROM trellis.idempotency_keys WHERE organization_id = $1 AND ${isLarge}) a
    WHERE bytes > $2 ORDER BY created_at DESC LIMIT 1`,
};
const dropOlder: Statement = {
  name: 'drop_stored_responses',
  text: `UPDATE trellis.idempotency_keys SET body = NULL, body_dropped = true, body_bytes = 0
    WHERE organization_id = $1 AND ctid = ANY (ARRAY(
      SELECT ctid FROM trellis.idempotency_keys
      WHERE organization_id = $1 AND ${isLarge} AND created_at <= $2
      ORDER BY created_at DESC LIMIT ${batchRows} FOR UPDATE SKIP LOCKED))`,
};

/** The result for one organization. */
export interface TrimmedResponses {
  readonly organizationId: string;
  /** Bytes of large bodies before the trim. */
  readonly bytes: number;
  /** Number of responses whose bodies were dropped. */
  readonly dropped: number;
}

/**
 * Drops the oldest large bodies of every organization that exceeds the budget. The keys stay.
 * @param worker the database or a shard, as the role `trellis_worker`
 * @param budgetBytes budget of each organization
 */
export async function trimStoredResponses(
  worker: BackgroundDatabase,
  budgetBytes: number,
  signal?: AbortSignal,
): Promise<TrimmedResponses[]> {
  const [over] = await worker.queryInBackground([step(measure, [String(budgetBytes)])]);
  const trimmed: TrimmedResponses[] = [];
  for (const [organizationId, bytes] of over?.rows ?? []) {
    if (!organizationId || signal?.aborted === true) break;
    const [found] = await worker.queryInBackground([step(findCut, [organizationId, String(budgetBytes)])]);
    const cut = found?.rows[0]?.[0];
    if (!cut) continue;
    const dropped = await deleteInBatches(worker, step(dropOlder, [organizationId, cut]), signal);
    trimmed.push({ organizationId, bytes: Number(bytes), dropped });
  }
  return trimmed;
}
