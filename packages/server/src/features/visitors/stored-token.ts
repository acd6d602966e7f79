/**
 * The token by which a browser proves that it is a known visitor. It contains the visitor and the issue instant, and is
 * signed together with the organization and site, so that it is valid nowhere else.
 *
 * Layout, base64url (RFC 4648): format 1 byte, key id 1, visitor 16, issue instant in milliseconds 6, HMAC-SHA256 32.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { visitorLimits } from './limits.ts';

/** The server's signing keys by their id, 0 to 255. Tokens are signed with the current one and verified with any. */
export interface StoredTokenKeys {
  readonly currentId: number;
  /** Each at least 32 bytes. */
  readonly keys: ReadonlyMap<number, Buffer>;
}

/** Where a token is valid: UUIDs as they are stored, not TypeIDs. */
export interface StoredTokenBinding {
  readonly organizationId: string;
  readonly siteId: string;
}

const format = 1;
const idOffset = 2;
const instantOffset = 18;
const macOffset = 24;
const macBytes = 32;
const tokenBytes = macOffset + macBytes;
/** Characters of every token. */
const tokenCharacters = Math.ceil((tokenBytes * 4) / 3);
const tokenPattern = new RegExp(`^[A-Za-z0-9_-]{${tokenCharacters}}$`);
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const shortestKeyBytes = 32;

const lifetimeMs = visitorLimits.visitorDays * 24 * 3_600_000;
/** The tolerated difference between the clocks of two servers. */
const clockSkewMs = 5 * 60_000;

/**
 * Creates a token for a visitor.
 *
 * @throws TypeError for ids that are not UUIDs in lower case, for a missing or short current key, and for an instant that
 *   six bytes cannot hold: programming errors, not faults of a request.
 */
export function sealStoredToken(
  keys: StoredTokenKeys,
  binding: StoredTokenBinding,
  visitorId: string,
  nowMs: number,
): string {
  const { currentId } = keys;
  const key = keys.keys.get(currentId);
  if (key === undefined || !Number.isInteger(currentId) || currentId < 0 || currentId > 255) {
    throw new TypeError(`There is no key ${currentId} to sign with.`);
  }
  if (!Number.isInteger(nowMs) || nowMs < 0 || nowMs >= 2 ** 48) {
    throw new TypeError(`${nowMs} is not an instant in whole milliseconds.`);
  }
  const signed = Buffer.alloc(macOffset);
  signed.writeUInt8(format, 0);
  signed.writeUInt8(currentId, 1);
  uuidBytes(visitorId).copy(signed, idOffset);
  signed.writeUIntBE(nowMs, instantOffset, 6);
  return Buffer.concat([signed, sign(key, binding, signed)]).toString('base64url');
}

/**
 * The visitor that a token names. The caller has to check that the visitor still exists.
 *
 * @returns null for anything but our token for this organization and site, younger than 90 days
 * @throws TypeError for a binding that does not consist of UUIDs in lower case
 */
export function verifyStoredToken(
  keys: StoredTokenKeys,
  binding: StoredTokenBinding,
  token: string,
  nowMs: number,
): string | null {
  if (!tokenPattern.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  // Re-encoding detects texts that differ from the token only in bits that decoding drops.
  if (bytes.length !== tokenBytes || bytes.toString('base64url') !== token || bytes[0] !== format)
    return null;
  const key = keys.keys.get(bytes.readUInt8(1));
  if (key === undefined) return null;
  const signed = bytes.subarray(0, macOffset);
  if (!timingSafeEqual(sign(key, binding, signed), bytes.subarray(macOffset))) return null;
  const ageMs = nowMs - bytes.readUIntBE(instantOffset, 6);
  if (ageMs < -clockSkewMs || ageMs >= lifetimeMs) return null;
  return formatUuid(bytes.subarray(idOffset, instantOffset));
}

/** Every part has a fixed length, so different bindings and tokens never give the same bytes. */
function sign(key: Buffer, { organizationId, siteId }: StoredTokenBinding, signed: Buffer): Buffer {
  if (key.length < shortestKeyBytes) throw new TypeError(`A signing key needs ${shortestKeyBytes} bytes.`);
  return createHmac('sha256', key)
    .update('trellis stored token\n')
    .update(uuidBytes(organizationId))
    .update(uuidBytes(siteId))
    .update(signed)
    .digest();
}

function uuidBytes(uuid: string): Buffer {
  if (!uuidPattern.test(uuid)) throw new TypeError(`Not a UUID in lower case: ${JSON.stringify(uuid)}.`);
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function formatUuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
