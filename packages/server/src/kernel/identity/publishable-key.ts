/**
 * Publishable keys. Web pages send a publishable key to name their organization and site. It is public, so
 * it permits the identify call only, from the origins it was created for. It has the form of a token with another
 * prefix, so that the two cannot be confused.
 */
import { defineCredentialForm, type ParsedCredential } from './credential-form.ts';

const form = defineCredentialForm('trl_pk_');

/** Creates a key, which may be shown again. @param organizationId the organization (uuid) that its text names */
export function makePublishableKey(organizationId: string): string {
  return form.make(organizationId);
}

/** The unverified content of the key in an `X-Client-Key` header; null if the header is missing, repeated or malformed. */
export function parsePublishableKey(
  header: string | string[] | undefined,
): (ParsedCredential & { readonly key: string }) | null {
  if (typeof header !== 'string') return null;
  const parsed = form.parse(header);
  return parsed === null ? null : { ...parsed, key: header };
}
