/**
 * Cursors: opaque texts that say where a list continues. They are sealed with AES-256-GCM and bound to organization,
 * route and query, so they cannot be read, forged or used for another query. A cursor grants nothing; every page is
 * authorized.
 */
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { Problem } from '@trellis/schema/problem.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { sortKeyBytes } from './sorts.ts';

/** Position in an ordered list: the sort values of the last record, as PostgreSQL texts. */
export type Position = readonly string[];

/** The query that a cursor is valid for. */
export interface CursorBinding {
  readonly organizationId: string;
  /** Operation and path, e.g. `listArticles /v1/sites/site_…/articles`. */
  readonly route: string;
  /** Filters, search text and sort: everything that decides the records and their order. */
  readonly query: Readonly<Record<string, string>>;
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const digestCharacters = 22;
/** First byte of every cursor. It identifies the key, so that keys can be replaced. */
const keyVersion = 1;

/**
 * Characters of the longest cursor, which is one of a list that is sorted by the resource's longest text. Every cursor
 * that the server returns fits into it.
 */
export const maxCursorLength = sealedLength(Math.max(...resources.map(sortKeyBytes)));

/** Number of characters of a cursor for an id and a sort value with this number of bytes. */
function sealedLength(sortBytes: number): number {
  const uuidCharacters = 36;
  const envelope = JSON.stringify(['0'.repeat(digestCharacters), '', '0'.repeat(uuidCharacters)]);
  const bytes = 1 + nonceBytes + tagBytes + envelope.length + sortBytes;
  return Math.ceil((bytes * 8) / 6);
}

/** Seals and opens cursors with one 32-byte key. */
export class CursorSealer {
  /** Imported once, because importing the bytes takes longer than sealing. */
  private readonly key: KeyObject;

  constructor(key: Buffer) {
    this.key = createSecretKey(key);
  }

  /** The cursor of a position. */
  seal(binding: CursorBinding, position: Position): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.key, nonce).setAAD(authenticated(binding));
    const text = JSON.stringify([digestOf(binding.query), ...position]);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(keyVersion), nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /**
   * The position of a cursor.
   * @throws Problem cursor_invalid (malformed, tampered with, another route or organization), cursor_mismatch (another
   *   query of the same route)
   */
  open(binding: CursorBinding, cursor: string): Position {
    const [digest, ...position] = this.decrypt(binding, cursor);
    if (digest !== digestOf(binding.query))
      throw new Problem('cursor_mismatch', undefined, { errors: [parameterFault] });
    return position;
  }

  private decrypt(binding: CursorBinding, cursor: string): string[] {
    if (cursor.length > maxCursorLength || !/^[A-Za-z0-9_-]+$/.test(cursor)) throw invalidCursor();
    const bytes = Buffer.from(cursor, 'base64url');
    // Re-encoding catches texts that differ from the cursor only in bits that decoding drops.
    if (
      bytes.length <= 1 + nonceBytes + tagBytes ||
      bytes[0] !== keyVersion ||
      bytes.toString('base64url') !== cursor
    ) {
      throw invalidCursor();
    }
    const nonce = bytes.subarray(1, 1 + nonceBytes);
    const tag = bytes.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes);
    const decipher = createDecipheriv(algorithm, this.key, nonce, { authTagLength: tagBytes });
    decipher.setAuthTag(tag).setAAD(authenticated(binding));
    try {
      const text =
        decipher.update(bytes.subarray(1 + nonceBytes + tagBytes), undefined, 'utf8') +
        decipher.final('utf8');
      return JSON.parse(text) as string[];
    } catch {
      throw invalidCursor();
    }
  }
}

const parameterFault = { parameter: 'cursor', code: 'cursor', detail: 'Start again without a cursor.' };

function invalidCursor(): Problem {
  return new Problem('cursor_invalid', undefined, { errors: [parameterFault] });
}

function authenticated({ organizationId, route }: CursorBinding): Buffer {
  return Buffer.from(`${organizationId}\n${route}`);
}

function digestOf(query: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(query).sort(([left], [right]) => (left < right ? -1 : 1));
  return hash('sha256', JSON.stringify(sorted), 'base64url').slice(0, digestCharacters);
}
