/** Secrets of people and browsers, and the hashes that are stored of them. */
import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { encodeBase62, randomBase62 } from '../lib/base62.ts';

/** The purpose of a secret; the hash for one purpose is useless for another. */
export type SecretPurpose = 'session' | 'link' | 'invitation' | 'challenge' | 'recovery code';

/** Characters of a secret, 5.95 bits each. */
const secretLength = 43;

const pattern = new RegExp(`^[0-9A-Za-z]{${secretLength}}$`);

/** A new secret of 256 bits: letters and digits, so that it survives a URL and a cookie. */
export function makeSecret(): string {
  return randomBase62(secretLength);
}

/**
 * A secret that is made of a key, and so is the same each time it is made.
 * @param key 32 bytes, for this purpose alone
 * @param owner the owner, always in the same form
 */
export function deriveSecret(key: Buffer, owner: string): string {
  return encodeBase62(createHmac('sha256', key).update(owner).digest(), secretLength);
}

/** Whether the text has the form of a secret. */
export function isWellFormedSecret(text: string): boolean {
  return pattern.test(text);
}

/** The stored hash of a secret, 32 bytes. */
export function hashSecret(purpose: SecretPurpose, secret: string): Buffer {
  return createHash('sha256').update(`trellis ${purpose} 1\n${secret}`).digest();
}

/**
 * Hash of a token that a session has in an organization, hexadecimal: made of the cookie's secret, which is stored nowhere,
 * so that the rows of one session cannot be told from each other's.
 * @param organizationId uuid
 * @param isForDrafts whether the token is the one that cannot publish
 */
export function deriveTokenHash(secret: string, organizationId: string, isForDrafts: boolean): string {
  const purpose = isForDrafts ? 'session drafts token' : 'session token';
  return createHmac('sha256', secret).update(`trellis ${purpose} 1\n${organizationId}`).digest('hex');
}

/** A key for one purpose, 32 bytes, made of the installation's key (RFC 5869). */
export function deriveKey(installationKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', installationKey, '', `trellis ${purpose} 1`, 32));
}
