/**
 * The key of a backup, derived from the operator's passphrase. A backup contains personal data, hashes of passwords and the
 * keys of the installation, and lies for years in places that others administer, so all of it is encrypted.
 */
import { hkdfSync, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { BackupError } from './errors.ts';

/** 128 MiB and half a second for each guess (RFC 7914); part of the format. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1_048_576 };
const saltBytes = 32;
const minLength = 12;

/** The key of one backup, and what is stored to derive it again. */
export interface BackupKey {
  /** 32 bytes. */
  readonly key: Buffer;
  readonly salt: Buffer;
  /** Tells a wrong passphrase from a damaged backup. */
  readonly check: Buffer;
}

/** @throws BackupError for a passphrase that is too short to protect anything */
export async function createBackupKey(passphrase: string): Promise<BackupKey> {
  if (passphrase.length < minLength) {
    throw new BackupError(
      `The passphrase must have at least ${minLength} characters; "openssl rand -base64 24" generates one.`,
    );
  }
  return deriveBackupKey(passphrase, randomBytes(saltBytes));
}

/**
 * @param noun what it is the key of, in the message
 * @throws BackupError for a wrong passphrase
 */
export async function openBackupKey(
  passphrase: string,
  salt: Buffer,
  check: Buffer,
  noun: string,
): Promise<BackupKey> {
  const derived = await deriveBackupKey(passphrase, salt);
  if (check.length !== derived.check.length || !timingSafeEqual(check, derived.check)) {
    throw new BackupError(`The passphrase is not the one that the ${noun} was made with.`);
  }
  return derived;
}

async function deriveBackupKey(passphrase: string, salt: Buffer): Promise<BackupKey> {
  const secret = await new Promise<Buffer>((resolve, reject) =>
    scrypt(passphrase.normalize('NFC'), salt, 32, cost, (error, key) =>
      error === null ? resolve(key) : reject(error),
    ),
  );
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, salt, purpose, 32));
  return { key: derive('trellis backup: key'), check: derive('trellis backup: check'), salt };
}
