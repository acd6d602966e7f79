/**
 * Sealing of what is stored in the browser: AES-256-GCM with the key of one user, and with the place as additional data. What somebody
 * else has written, or has put in another place, does not open. See decision 0075.
 */

/** Where something is stored: the owner, the kind, and an id within the kind. */
export type Place = readonly (string | number)[];

declare const mark: unique symbol;

/** Data that only the key's user can read and create. Only this module creates it, and nothing else is stored. */
export type Sealed = Uint8Array<ArrayBuffer> & { readonly [mark]: true };

const algorithm = 'AES-GCM';
/** Bytes of the nonce, in front of the ciphertext. */
const nonceBytes = 12;
/** What sealing adds: the nonce and the tag. */
export const sealBytes = nonceBytes + 16;

/** The key of a user. It cannot be read out of the page's memory by a program. */
export type SealKey = CryptoKey;

/** @param key 32 bytes in base64, as the server gives it to the user */
export function importSealKey(key: string): Promise<SealKey> {
  const bytes = Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['encrypt', 'decrypt']);
}

/** Seals bytes for a place. */
export async function sealBytesFor(
  key: SealKey,
  place: Place,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const parameters = { name: algorithm, iv, additionalData: describe(place) };
  const encrypted = await crypto.subtle.encrypt(parameters, key, bytes);
  const sealed = new Uint8Array(sealBytes + bytes.length);
  sealed.set(iv);
  sealed.set(new Uint8Array(encrypted), nonceBytes);
  return sealed as Sealed;
}

/** The bytes that were sealed for the place; null when they were not, or not by this user. */
export async function openBytes(
  key: SealKey,
  place: Place,
  sealed: unknown,
): Promise<Uint8Array<ArrayBuffer> | null> {
  // Whoever can write to the browser's storage can write anything there.
  if (!(sealed instanceof Uint8Array) || sealed.length < sealBytes) return null;
  const bytes = new Uint8Array(sealed);
  const parameters = {
    name: algorithm,
    iv: bytes.subarray(0, nonceBytes),
    additionalData: describe(place),
  };
  try {
    return new Uint8Array(await crypto.subtle.decrypt(parameters, key, bytes.subarray(nonceBytes)));
  } catch {
    return null;
  }
}

/** Seals a value of JSON for a place. */
export function seal(key: SealKey, place: Place, value: object): Promise<Sealed> {
  return sealBytesFor(key, place, new TextEncoder().encode(JSON.stringify(value)));
}

/** The value that was sealed for the place; null as of `openBytes`. */
export async function open(key: SealKey, place: Place, sealed: unknown): Promise<unknown> {
  const bytes = await openBytes(key, place, sealed);
  return bytes === null ? null : JSON.parse(new TextDecoder().decode(bytes));
}

/** A tag of sealed data: equal only for the same bytes, because each sealing has its own nonce. */
export function tagOf(sealed: unknown): string {
  return sealed instanceof Uint8Array ? sealed.subarray(0, nonceBytes).join() : '';
}

function describe(place: Place): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(['trellis browser storage 1', ...place]));
}
