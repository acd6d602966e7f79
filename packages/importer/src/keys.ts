/**
 * Idempotency keys and externalIds, derived from what is written. They contain nothing random, so that an import that was
 * killed and is run again makes the same writes under the same keys.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { limits } from '@trellis/schema/resources/limits.ts';
import { canonicalizeJson } from '@trellis/schema/values/canonical-json.ts';
import { codePointLength, normalizeText } from '@trellis/schema/values/text.ts';

const shortHashLength = 32;
/** Bytes of a hash that represents a text in memory: enough to rule out accidental collisions. */
const memoryHashBytes = 12;

/** What identifies a write. */
export interface WriteIdentity {
  /** Id of the parent, such as a site; '' for collections without one, whose keys the token's organization tells apart. */
  readonly target: string;
  readonly resource: string;
  /** What identifies the record within the source. */
  readonly record: string;
  readonly step: 'create' | 'update' | 'undo';
  /**
   * The state that the write applies to: id and version of a record; for a create, the id of the deleted record that an
   * earlier create with this identity made, or ''. Without it, a change from A to B and back to A would get the stored
   * response to the first A.
   */
  readonly base: string;
  readonly body: object;
}

/** The Idempotency-Key of a write. */
export function deriveKey({ body, ...identity }: WriteIdentity): string {
  const content = hash(canonicalizeJson(body));
  return `import-${hash(canonicalizeJson({ ...identity, content }))}`;
}

/**
 * The externalId of a record that its source knows by a key: the name of the parent and the key, shortened by a hash when
 * that is too long. The parent is part of it because an externalId is unique in the whole organization.
 */
export function deriveExternalId(parentName: string, key: string): string {
  const full = normalizeText(parentName === '' ? key : `${parentName}/${key}`);
  if (codePointLength(full) <= limits.externalId) return full;
  const kept = Array.from(full)
    .slice(0, limits.externalId - shortHashLength - 1)
    .join('');
  return `${kept}~${shortHash(full)}`;
}

/** UUIDs, the 24 hexadecimal digits of MongoDB, and the ids of contacts, accounts and leads in Salesforce, of 15 or 18 characters. */
const foreignKeys =
  /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24}|(?:003|001|00Q)[0-9A-Za-z]{12}(?:[0-9A-Za-z]{3})?)$/i;

/** Whether a value is a key that only one system can have made. */
export function isForeignKey(value: unknown): boolean {
  return typeof value === 'string' && foreignKeys.test(value.trim());
}

/** The first 32 hexadecimal digits of the SHA-256 of a text. */
export function shortHash(text: string): string {
  return hash(text).slice(0, shortHashLength);
}

/** A short text that stands for a long one in memory. */
export function hashForMemory(text: string): string {
  return String.fromCharCode(...sha256(utf8ToBytes(text)).subarray(0, memoryHashBytes));
}

function hash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
