/**
 * Idempotency keys (draft-ietf-httpapi-idempotency-key-header-07): a caller can resend a request after a timeout, and it is carried out
 * once. The response is stored under the key in the transaction of the write, so after a crash either both exist or neither. A try-lock
 * that is held until the transaction ends detects a running request with the same key without waiting. The holder of the lock looks up the
 * stored response with a snapshot taken after the lock, so it sees every finished request. The primary key of the table is the last guard
 * against two responses under one key.
 */
import { createHash } from 'node:crypto';
import { Problem } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { canonicalizeJson } from '@trellis/schema/values/canonical-json.ts';
import { parseItem } from 'structured-headers';
import { type Statement, type Step, type StepResult, step } from '../../../database/batch.ts';
import { defineRow, flag, joined, nullable, number, text, texts } from '../../../database/row.ts';
import { type Scope, scopeList, scopeValues, setLocal } from '../../../database/scope.ts';
import { textArray } from '../../../database/values.ts';
import { type AccessLock, accessLocks } from '../../../identity/access-lock.ts';
import { identityQuery, identityRow, identityValues } from '../../../identity/actor.ts';
import { lockNumber } from '../../locks.ts';

/** A key within its scope: the same key of another user or client is another key. */
export interface IdempotencyKey {
  readonly organizationId: string;
  readonly clientId: string;
  readonly userId: string;
  readonly key: string;
  /** SHA-256 of the request, see `fingerprintOf`. */
  readonly fingerprint: Buffer;
}

/** A response as it is stored and sent. */
export interface StoredResponse {
  readonly status: number;
  readonly location: string | null;
  readonly etag: string | null;
  /** JSON text; null for a response without a body. */
  readonly body: string | null;
}

/** The subject of a response, which decides whether its body is stored. */
export interface Shown {
  /** Uuid of the record that the response is about; null for one about several. A stored body is erased with the record. */
  readonly recordId: string | null;
  /**
   * `record`: the body is the record at the version in the ETag, as the write has left or found it; it is rendered again. `other`: anything
   * else, which is stored because it cannot be rendered.
   */
  readonly as: 'record' | 'other';
}

/** The content of a stored response: no body, the record at its version, or a body that is stored unless it was erased. */
type StoredAs = 'NOTHING' | 'RECORD' | 'OTHER';

const lockRow = defineRow({ claimed: text('c.claimed') });

/**
 * Tries the lock of the key, and then acquires the access lock. If the first lock is taken, the request is refused at once instead of
 * waiting for the second. OFFSET 0 enforces this order.
 */
const tryLock = (lock: AccessLock): Statement => ({
  name: `idempotency_lock_${lock}`,
  text: `SELECT ${lockRow.list}, c.claimed = 'true' AND ${accessLocks[lock]('$1::text')}, c.scope
    FROM (SELECT ${scopeList} AS scope,
      ${setLocal('trellis.claimed', 'pg_try_advisory_xact_lock($3)::text')} AS claimed OFFSET 0) c`,
  setsScope: true,
});
const tryLocks: Readonly<Record<AccessLock, Statement>> = {
  shared: tryLock('shared'),
  exclusive: tryLock('exclusive'),
};

const responseRow = defineRow({
  isSame: flag('i.fingerprint = $6'),
  status: number('i.status'),
  location: nullable(text('i.location')),
  etag: nullable(text('i.etag')),
  body: nullable(text('i.body')),
  isExpired: flag('i.created_at < clock_timestamp() - make_interval(secs => $7)'),
  published: texts('i.published'),
  isRecord: flag(`i.shows = 'RECORD'`),
  isErased: flag(`i.shows = 'OTHER' AND i.body IS NULL`),
  recordId: nullable(text('i.subject_id')),
});
const storedResponse = joined(responseRow);
/** The state of the caller and the stored response, for which one statement does. */
const findCaller: Statement = {
  name: 'identity_and_response',
  text: identityQuery(
    `, ${storedResponse.sql}`,
    `LEFT JOIN trellis.idempotency_keys i ON i.organization_id = $1 AND i.client_id = $3 AND i.user_id = $4 AND i.key = $5`,
  ),
};
const forget: Statement = {
  name: 'idempotency_forget',
  text: `DELETE FROM trellis.idempotency_keys
    WHERE organization_id = $1 AND client_id = $2 AND user_id = $3 AND key = $4`,
};
const store: Statement = {
  name: 'idempotency_store',
  text: `INSERT INTO trellis.idempotency_keys
      (organization_id, client_id, user_id, key, fingerprint, status, location, etag, shows, body, created_at, published, subject_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
  isJoinable: true,
};

/** The primary key, which concurrent requests under one key would violate. */
export const idempotencyConstraint = 'idempotency_keys_pkey';

/**
 * The step that names the organization and user of the transaction and tries the lock of the key.
 * @param lock how the write holds the access lock
 */
export function keyLockStep(scope: Scope, key: IdempotencyKey, lock: AccessLock): Step {
  return step(tryLocks[lock], [...scopeValues(scope), lockNumber(...scopeOf(key))]);
}

/**
 * The step that reads the state of the caller, as `identityStep` does, and the stored response of the key. It has to be sent behind
 * `keyLockStep`, because a statement sees what was committed before it began, and not while it waited for a lock.
 * @param retentionSeconds older responses count as absent
 */
export function callerStep(
  key: IdempotencyKey & { readonly tokenHash: string },
  retentionSeconds: number,
): Step {
  const [, ...place] = scopeOf(key);
  return step(findCaller, [...identityValues(key), ...place, key.fingerprint, String(retentionSeconds)]);
}

/** The result of claiming a key. */
export type Claim =
  | { readonly kind: 'new' }
  | { readonly kind: 'expired' }
  | {
      readonly kind: 'replay';
      readonly response: StoredResponse;
      /** Whether the body is the record at the version in the ETag. */
      readonly isRecord: boolean;
      /** Whether the body was of another kind and has been erased. */
      readonly isErased: boolean;
      /** Uuid of the record that the response is about; null for one about several or none. */
      readonly recordId: string | null;
      /** Names of the resources for which the write needed the right to publish. */
      readonly published: readonly string[];
    };

/**
 * Interprets the results of `keyLockStep` and `callerStep`.
 * @throws Problem idempotency_in_progress, idempotency_key_reused
 */
export function readClaim(lock: StepResult | undefined, found: StepResult | undefined): Claim {
  if (lockRow.first(lock)?.claimed !== 'true') throw inProgress();
  const row = found?.rows[0];
  const stored = row === undefined ? null : storedResponse.read(row, identityRow.width);
  if (stored === null) return { kind: 'new' };
  if (stored.isExpired) return { kind: 'expired' };
  if (!stored.isSame) throw new Problem('idempotency_key_reused');
  const { status, location, etag, body, ...rest } = stored;
  return { kind: 'replay', response: { status, location, etag, body }, ...rest };
}

/** A response to store under a key. */
interface NewResponse {
  readonly response: StoredResponse;
  readonly shown: Shown;
  /** Names of the resources for which the write needed the right to publish. */
  readonly published: readonly string[];
  /** Time of the write, RFC 3339. */
  readonly instant: string;
}

/** The step that stores the response, for the transaction of the write. */
export function storeSteps(
  key: IdempotencyKey,
  claim: Claim,
  { response, shown, published, instant }: NewResponse,
): Step[] {
  const shows: StoredAs = response.body === null ? 'NOTHING' : shown.as === 'record' ? 'RECORD' : 'OTHER';
  const insert = step(store, [
    ...scopeOf(key),
    key.fingerprint,
    String(response.status),
    response.location,
    response.etag,
    shows,
    shows === 'OTHER' ? response.body : null,
    instant,
    textArray(published),
    shown.recordId,
  ]);
  return claim.kind === 'expired' ? [step(forget, scopeOf(key)), insert] : [insert];
}

/**
 * The response to a replay whose record is deleted or hidden from the caller.
 * @param recordId as the API shows it, if known
 */
export function recordGone(recordId: string | null): Problem {
  return new Problem(
    'not_found',
    'The request was carried out under this key before, but its record was deleted since or is not visible to you.',
    {
      headers: { 'idempotent-replayed': 'true' },
      ...(recordId === null ? {} : { members: { recordId } }),
    },
  );
}

/** The response to a request whose key belongs to a running request. */
export function inProgress(): Problem {
  return new Problem('idempotency_in_progress', undefined, { headers: { 'retry-after': '1' } });
}

/** The hash that identifies equal requests. Bodies are compared as JSON values, not as bytes. */
export function fingerprintOf(request: {
  method: string;
  path: string;
  query: string;
  body: unknown;
  ifMatch: string | undefined;
  ifNoneMatch: string | undefined;
}): Buffer {
  const { method, path, query, body, ifMatch, ifNoneMatch } = request;
  const parts = [
    method,
    path,
    query,
    body === undefined ? '' : canonicalizeJson(body),
    ifMatch ?? '',
    ...(ifNoneMatch === undefined ? [] : [ifNoneMatch]),
  ];
  const hash = createHash('sha256');
  // Each part has its length before it, so that different requests cannot give the same text.
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest();
}

/**
 * Reads an Idempotency-Key header: a bare value or a quoted structured field string (RFC 9651), which mean the same
 * key.
 * @throws Problem idempotency_key_required, idempotency_key_invalid
 */
export function readIdempotencyKey(header: string | undefined): string {
  if (header === undefined || header === '') {
    throw new Problem('idempotency_key_required', undefined, {
      errors: [
        { header: 'Idempotency-Key', code: 'required', detail: 'Send a fresh random value, such as a UUID.' },
      ],
    });
  }
  const isQuoted = header.startsWith('"');
  const key = isQuoted ? readString(header) : header;
  const { min, max } = limits.idempotencyKey;
  if (
    key === null ||
    !/^[\x21-\x7e]+$/.test(key) ||
    key.length < min ||
    key.length > max ||
    (!isQuoted && key.includes('"'))
  ) {
    throw new Problem('idempotency_key_invalid', undefined, {
      errors: [
        {
          header: 'Idempotency-Key',
          code: 'format',
          detail: `Must be ${min} to ${max} visible ASCII characters.`,
        },
      ],
    });
  }
  return key;
}

/** A structured field string, without the parameters that it may have; null for anything else. */
function readString(header: string): string | null {
  try {
    const [value] = parseItem(header);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

function scopeOf({
  organizationId,
  clientId,
  userId,
  key,
}: IdempotencyKey): [string, string, string, string] {
  return [organizationId, clientId, userId, key];
}
