/**
 * Creation, syntax and hashing of tokens. Prefix and checksum make tokens recognizable, for secret scanners and before a
 * query. Only the SHA-256 of a token is stored, so reading the database discloses no token.
 */
import { createHash } from 'node:crypto';
import { defineCredentialForm, type ParsedCredential } from './credential-form.ts';

const form = defineCredentialForm('trl_pat_');

/** Creates a token, which is shown once. @param organizationId the organization (uuid) that its text names; null: none */
export function makeToken(organizationId: string | null = null): string {
  return form.make(organizationId);
}

/** What a text says of itself that has the form of a token and the right checksum; null for any other. */
export function parseToken(token: string): ParsedCredential | null {
  return form.parse(token);
}

/** The SHA-256 of a token in hexadecimal, by which it is stored and looked up. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
