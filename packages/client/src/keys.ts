/** Idempotency keys. */

/**
 * A new random key of 128 bits in hexadecimal. It is not made by `crypto.randomUUID`, which pages that were loaded over
 * plain HTTP do not have.
 */
export function makeIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
