/** Digests of the content of a request (RFC 9530): bytes that were damaged on the way are refused instead of stored. */
import { createHash, type Hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '@trellis/schema/problem.ts';
import { parseDictionary } from 'structured-headers';

/** The algorithms that are checked, by their registered names; all others are ignored. */
const algorithms: ReadonlyMap<string, string> = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
]);

/** Both mean the received bytes: a request's content is never in a content coding here, and never a range. */
const fields = ['Content-Digest', 'Repr-Digest'] as const;

interface Digest {
  readonly field: string;
  readonly algorithm: string;
  readonly hash: Hash;
  readonly expected: Buffer;
}

/** The digests that a request announces. */
export class Digests {
  private readonly digests: readonly Digest[];

  /** @throws Problem invalid_header */
  constructor(headers: IncomingHttpHeaders) {
    this.digests = fields.flatMap((field) => readField(field, headers[field.toLowerCase()]));
  }

  /** Whether there is one that is checked. */
  get areGiven(): boolean {
    return this.digests.length > 0;
  }

  /** Takes the next bytes. */
  update(bytes: Uint8Array): void {
    for (const { hash } of this.digests) hash.update(bytes);
  }

  /** Compares, after the last bytes. @throws Problem digest_mismatch */
  check(): void {
    for (const { field, algorithm, hash, expected } of this.digests) {
      if (hash.digest().equals(expected)) continue;
      throw new Problem('digest_mismatch', `${field}: the received content has another ${algorithm}.`, {
        errors: [
          { header: field, code: 'mismatch', detail: `The received content has another ${algorithm}.` },
        ],
      });
    }
  }
}

function readField(field: string, header: string | string[] | undefined): Digest[] {
  if (header === undefined) return [];
  return [...membersOf(field, String(header))].flatMap(([algorithm, [value]]) => {
    const name = algorithms.get(algorithm);
    if (name === undefined) return [];
    const hash = createHash(name);
    const expected = value instanceof ArrayBuffer ? Buffer.from(value) : null;
    if (expected === null || expected.length !== hash.copy().digest().length)
      throw malformed(field, `The value of ${algorithm} must be a digest in Base64 between colons.`);
    return [{ field, algorithm, hash, expected }];
  });
}

function membersOf(field: string, header: string) {
  try {
    return parseDictionary(header);
  } catch {
    throw malformed(field, 'Must be a dictionary such as sha-256=:Base64: (RFC 9530).');
  }
}

function malformed(header: string, detail: string): Problem {
  return new Problem('invalid_header', `${header}: ${detail}`, {
    errors: [{ header, code: 'format', detail }],
  });
}
