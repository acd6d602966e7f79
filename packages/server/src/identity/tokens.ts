/**
 * Creation, syntax and hashing of tokens. Prefix and checksum make tokens recognizable, for secret scanners and before a
 * query. Only the SHA-256 of a token is stored, so reading the database discloses no token.
 */
import { createHash } from 'node:crypto';
import { checksumBase62, randomBase62 } from '../lib/base62.ts';

const prefix = 'trl_pat_';
const secretLength = 30;
const checksumLength = 6;
const pattern = new RegExp(`^${prefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`);

/** Creates a token: `trl_pat_`, 30 random base62 characters (178 bits), 6 of checksum. It is shown once. */
export function makeToken(): string {
  const body = `${prefix}${randomBase62(secretLength)}`;
  return `${body}${checksumBase62(body, checksumLength)}`;
}

/** Whether the text has the form of a token and the right checksum. */
export function isWellFormedToken(token: string): boolean {
  if (!pattern.test(token)) return false;
  const body = token.slice(0, -checksumLength);
  return checksumBase62(body, checksumLength) === token.slice(-checksumLength);
}

/** The SHA-256 of a token in hexadecimal, by which it is stored and looked up. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
