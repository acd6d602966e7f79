/**
 * Password hashes: argon2id with the parameters that OWASP names first for it (m = 19 MiB, t = 2, p = 1), kept as PHC text
 * (https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md), so that the parameters can be raised later.
 */
import { type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { Problem } from '@trellis/schema/problem.ts';
import { FairPlaces, type PlaceLimits } from '../../kernel/lib/fair-places.ts';
import type { HashOwner } from './attempt-subjects.ts';
import { HashThread } from './hash-thread.ts';

/** KiB of memory, passes and lanes. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const saltBytes = 16;
const hashBytes = 32;

const phcText = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Attempts that are processed at once (one is hashed while the account of the next one is read), and those that wait. */
const placeLimits: PlaceLimits = {
  slots: 2,
  slotsOfOwner: 2,
  waiting: 40,
  waitingOfOwner: 4,
  longestWaitMs: 4_000,
};

/** Computes and compares hashes, a bounded number at once. */
export class PasswordHasher {
  private readonly thread = new HashThread();
  private readonly places = new FairPlaces(placeLimits, tooMany);
  private computed = 0;
  /** Hash to compare with for an account without a password, so that the response time reveals nothing. */
  private readonly decoy = format(cost, randomBytes(saltBytes), randomBytes(hashBytes));

  /** Hashes computed so far, and the most at once. */
  counts(): { readonly computed: number; readonly mostAtOnce: number } {
    return { computed: this.computed, mostAtOnce: this.places.mostAtOnce };
  }

  /** The PHC text of a password. @throws Problem overloaded */
  async hash(password: string, owner: HashOwner): Promise<string> {
    const salt = randomBytes(saltBytes);
    return this.places.take(
      owner.name,
      async () => format(cost, salt, await this.compute(password, salt, cost, hashBytes)),
      owner.isKnown,
    );
  }

  /**
   * Whether the password is the one of a PHC text. One hash is computed also when there is none, so that the time does not
   * tell whether an account exists.
   * @param findHash asked once a place is free
   * @returns what `findHash` gave if the password fits, else null
   * @throws Problem overloaded
   */
  async verify<T extends { readonly passwordHash: string | null }>(
    password: string,
    owner: HashOwner,
    findHash: () => Promise<T | null>,
  ): Promise<T | null> {
    const compare = async () => {
      const found = await findHash();
      const { parameters, salt, hash } = parse(found?.passwordHash ?? this.decoy);
      const computed = await this.compute(password, salt, parameters, hash.length);
      return timingSafeEqual(computed, hash) && found?.passwordHash != null ? found : null;
    };
    return this.places.take(owner.name, compare, owner.isKnown);
  }

  private async compute(
    password: string,
    salt: Buffer,
    parameters: Pick<Argon2Parameters, 'memory' | 'passes' | 'parallelism'>,
    tagLength: number,
  ): Promise<Buffer> {
    this.computed += 1;
    // The same characters, however the keyboard composes them (NIST SP 800-63B-4, 3.1.1.2).
    const message = password.normalize('NFC');
    return this.thread.compute({ message, nonce: salt, tagLength, ...parameters });
  }
}

function format(
  { memory, passes, parallelism }: Pick<Argon2Parameters, 'memory' | 'passes' | 'parallelism'>,
  salt: Buffer,
  hash: Buffer,
): string {
  const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(hash)}`;
}

function parse(text: string) {
  const [, memory, passes, parallelism, salt, hash] = phcText.exec(text) ?? [];
  if (salt === undefined || hash === undefined) throw new Error('a password hash is no PHC text of argon2id');
  return {
    parameters: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

function tooMany(): Problem {
  return new Problem('overloaded', 'Too many sign-ins at the moment.', {
    headers: { 'retry-after': '2' },
  });
}
