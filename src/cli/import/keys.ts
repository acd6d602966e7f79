/**
 * Why: an import may be killed at any moment and is then simply run again. Both runs must mean the same writes by the
 * same keys, so nothing in a key is random: what is written, where, on top of what.
 */
import { createHash } from 'node:crypto';
import { canonicalizeJson } from '../../lib/canonical-json.ts';
import { codePointLength, normalizeText } from '../../lib/text.ts';
import { limits } from '../../resources/limits.ts';

const hashLength = 32;

/** What an Idempotency-Key stands for. */
export interface WriteIdentity {
  /** Id of the site or other parent; '' for collections without one, whose keys the token's organization tells apart. */
  readonly target: string;
  readonly resource: string;
  /** What tells the record from all others of the source. */
  readonly record: string;
  readonly step: 'create' | 'update';
  /**
   * What the write is made on: id and version of a record; for a create the id of the record that an earlier create
   * under this identity made and somebody has deleted since, or ''. Without it a change from A to B and back to A
   * would get the stored answer to the first A.
   */
  readonly base: string;
  readonly body: object;
}

/** The Idempotency-Key of a write. */
export function deriveKey({ body, ...identity }: WriteIdentity): string {
  const content = createHash('sha256').update(canonicalizeJson(body)).digest('hex');
  const hash = createHash('sha256')
    .update(canonicalizeJson({ ...identity, content }))
    .digest('hex');
  return `import-${hash}`;
}

/**
 * The externalId of a record: the site and the record's key in the source, shortened by a hash when that is too long.
 * The site is part of it because an externalId is unique in the whole organization.
 */
export function deriveExternalId(siteKey: string, key: string): string {
  const full = normalizeText(`${siteKey}/${key}`);
  if (codePointLength(full) <= limits.externalId) return full;
  const hash = createHash('sha256').update(full).digest('hex').slice(0, hashLength);
  const kept = Array.from(full)
    .slice(0, limits.externalId - hashLength - 1)
    .join('');
  return `${kept}~${hash}`;
}
