/**
 * Record ids. A record is stored under a UUIDv7 (RFC 9562, section 5.7), so that new rows are added at the end of the
 * index, and shown as a TypeID (https://github.com/jetify-com/typeid/tree/main/spec, version 0.3), so that an id states
 * the kind of its record and cannot be used for another kind.
 *
 * A list encodes hundreds of ids, so both directions use lookup tables, without BigInt or byte arrays.
 */
import { uuidv7 } from 'uuidv7';

const base32Alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** From a base-32 digit to its character code. */
const base32CharacterCodes = Uint8Array.from(base32Alphabet, (character) => character.charCodeAt(0));

/** From a character code to its value, -1 for every other character below 128. */
const base32Values = tableOfValues(base32Alphabet);
const hexValues = tableOfValues('0123456789abcdef');

/** Two hexadecimal digits per byte. */
const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

const uuidLength = 36;
const suffixLength = 26;

/**
 * A new UUIDv7 in lower-case hexadecimal with hyphens. Ids made in one process sort in the order of their creation.
 */
export function newUuid(): string {
  return uuidv7();
}

/**
 * The TypeID of a UUID, for example `art_01h455vb4pex5vsknk084sn02q`.
 *
 * @param prefix the prefix of the type, one of our own constants (lower-case letters; not checked here).
 * @param uuid 36 characters of hexadecimal with hyphens, in any letter case.
 * @throws TypeError when `uuid` is not a UUID.
 */
export function encodeId(prefix: string, uuid: string): string {
  // 128 bits are 26 digits of 5 bits with two zero bits in front: one byte makes the first two digits, then every five
  // hexadecimal digits make four. The numbers are positions in the text, skipping the hyphens.
  const head = (hexAt(uuid, 0) << 4) | hexAt(uuid, 1);
  const a = twentyBits(uuid, 2, 3, 4, 5, 6);
  const b = twentyBits(uuid, 7, 9, 10, 11, 12);
  const c = twentyBits(uuid, 14, 15, 16, 17, 19);
  const d = twentyBits(uuid, 20, 21, 22, 24, 25);
  const e = twentyBits(uuid, 26, 27, 28, 29, 30);
  const f = twentyBits(uuid, 31, 32, 33, 34, 35);
  if ((head | a | b | c | d | e | f) < 0 || uuid.length !== uuidLength || !hasHyphens(uuid)) {
    throw new TypeError(`Not a UUID of 36 characters: ${JSON.stringify(uuid)}.`);
  }
  // A single call builds a flat string; joining pieces was measured to be a third slower.
  const suffix = String.fromCharCode(
    codeOf(head >> 5),
    codeOf(head),
    codeOf(a >> 15),
    codeOf(a >> 10),
    codeOf(a >> 5),
    codeOf(a),
    codeOf(b >> 15),
    codeOf(b >> 10),
    codeOf(b >> 5),
    codeOf(b),
    codeOf(c >> 15),
    codeOf(c >> 10),
    codeOf(c >> 5),
    codeOf(c),
    codeOf(d >> 15),
    codeOf(d >> 10),
    codeOf(d >> 5),
    codeOf(d),
    codeOf(e >> 15),
    codeOf(e >> 10),
    codeOf(e >> 5),
    codeOf(e),
    codeOf(f >> 15),
    codeOf(f >> 10),
    codeOf(f >> 5),
    codeOf(f),
  );
  return `${prefix}_${suffix}`;
}

/**
 * The UUID in a TypeID, as lower-case hexadecimal with hyphens.
 *
 * @returns null for any text that is not an id of this type: another prefix or length, upper case, a character outside the
 *   alphabet (which lacks i, l, o and u), or more than 128 bits (a first digit above 7).
 */
export function decodeId(prefix: string, id: string): string | null {
  const start = prefix.length + 1;
  if (id.length !== start + suffixLength || id.charCodeAt(prefix.length) !== 0x5f || !id.startsWith(prefix)) {
    return null;
  }
  const head = (base32At(id, start) << 5) | base32At(id, start + 1);
  const a = fourDigits(id, start + 2);
  const b = fourDigits(id, start + 6);
  const c = fourDigits(id, start + 10);
  const d = fourDigits(id, start + 14);
  const e = fourDigits(id, start + 18);
  const f = fourDigits(id, start + 22);
  if ((head | a | b | c | d | e | f) < 0 || head > 0xff) {
    return null;
  }
  // Byte by byte, from groups of twenty bits: two groups make five bytes.
  return (
    byteText(head) +
    byteText(a >> 12) +
    byteText(a >> 4) +
    byteText((a << 4) | (b >> 16)) +
    '-' +
    byteText(b >> 8) +
    byteText(b) +
    '-' +
    byteText(c >> 12) +
    byteText(c >> 4) +
    '-' +
    byteText((c << 4) | (d >> 16)) +
    byteText(d >> 8) +
    '-' +
    byteText(d) +
    byteText(e >> 12) +
    byteText(e >> 4) +
    byteText((e << 4) | (f >> 16)) +
    byteText(f >> 8) +
    byteText(f)
  );
}

function tableOfValues(alphabet: string): Int8Array {
  const values = new Int8Array(128).fill(-1);
  for (let value = 0; value < alphabet.length; value += 1) {
    values[alphabet.charCodeAt(value)] = value;
    if (alphabet.length === 16) {
      values[alphabet.toUpperCase().charCodeAt(value)] = value;
    }
  }
  return values;
}

/** The value of a hexadecimal digit; negative for anything else, and past the end of the text. */
function hexAt(text: string, position: number): number {
  return hexValues[text.charCodeAt(position)] ?? -1;
}

function base32At(text: string, position: number): number {
  return base32Values[text.charCodeAt(position)] ?? -1;
}

/** Five hexadecimal digits as one number; negative when one of them is invalid, since -1 has all bits set. */
function twentyBits(text: string, p0: number, p1: number, p2: number, p3: number, p4: number): number {
  return (
    (hexAt(text, p0) << 16) |
    (hexAt(text, p1) << 12) |
    (hexAt(text, p2) << 8) |
    (hexAt(text, p3) << 4) |
    hexAt(text, p4)
  );
}

/** Four base-32 digits as one number of twenty bits; negative when one of them is invalid. */
function fourDigits(text: string, position: number): number {
  return (
    (base32At(text, position) << 15) |
    (base32At(text, position + 1) << 10) |
    (base32At(text, position + 2) << 5) |
    base32At(text, position + 3)
  );
}

function codeOf(bits: number): number {
  return base32CharacterCodes[bits & 31] ?? 0;
}

function byteText(bits: number): string {
  return hexOfByte[bits & 255] ?? '';
}

function hasHyphens(uuid: string): boolean {
  return (
    uuid.charCodeAt(8) === 0x2d &&
    uuid.charCodeAt(13) === 0x2d &&
    uuid.charCodeAt(18) === 0x2d &&
    uuid.charCodeAt(23) === 0x2d
  );
}
