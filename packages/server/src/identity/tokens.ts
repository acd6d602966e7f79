/**
 * Why: a token must be recognizable (by secret scanners, and by us before any database is asked) and worthless to who
 * reads the database: only its SHA-256 is kept.
 */
import { createHash } from 'node:crypto';
import { checksumBase62, randomBase62 } from '../lib/base62.ts';

const prefix = 'trl_pat_';
const secretLength = 30;
const checksumLength = 6;
const pattern = new RegExp(`^${prefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`);

/** A new token: `trl_pat_`, 30 random base62 characters (178 bits), 6 of checksum. Shown once. */
export function makeToken(): string {
  const body = `${prefix}${randomBase62(secretLength)}`;
  return `${body}${checksumBase62(body, checksumLength)}`;
}

/** Whether the text has the form of a token and its checksum fits. */
export function isWellFormedToken(token: string): boolean {
  if (!pattern.test(token)) return false;
  const body = token.slice(0, -checksumLength);
  return checksumBase62(body, checksumLength) === token.slice(-checksumLength);
}

/** SHA-256 of the token, hexadecimal: the form it is stored and looked up in. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
