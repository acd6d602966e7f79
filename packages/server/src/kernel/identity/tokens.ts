/**
 * Creation, syntax and hashing of tokens. Prefix and checksum make tokens recognizable, for secret scanners and before a
 * query. Only the SHA-256 of a token is stored, so reading the database discloses no token.
 */
import { createHash } from 'node:crypto';
import { defineCredentialForm } from './credential-form.ts';

const form = defineCredentialForm('trl_pat_');

/** Creates a token, which is shown once. @param organizationId the organization (uuid) that its text names */
export function makeToken(organizationId: string): string {
  return form.make(organizationId);
}

/** The organization (uuid) that a text names which has the form of a token and the right checksum; null for any other text. */
export function parseToken(token: string): string | null {
  return form.parse(token)?.organizationId ?? null;
}

/** The SHA-256 of a token in hexadecimal, by which it is stored and looked up. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
