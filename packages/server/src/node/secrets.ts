/** The passwords and keys of an embedded installation, in a file that is complete or absent at any moment. */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeRolePasswords, type RolePasswords } from '../kernel/database/setup.ts';
import { InstallationError } from '../kernel/lib/installation-error.ts';

/** The secrets of an embedded installation, `DATA_DIR/secrets.json`, mode 0600. */
export interface Secrets {
  /** 32 bytes, hexadecimal. */
  readonly cursorKey: string;
  /** 32 bytes, hexadecimal. */
  readonly visitorKey: string;
  readonly rolePasswords: RolePasswords;
  /** Set before a restore creates the database, until that has a mark of its own. */
  readonly isRestoring?: true | undefined;
}

const secretsFile = (dataDir: string) => join(dataDir, 'secrets.json');

/** Null if there are none yet. @throws InstallationError if they cannot be read */
export function readSecrets(dataDir: string): Secrets | null {
  let text: string;
  try {
    text = readFileSync(secretsFile(dataDir), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new InstallationError(
      `${secretsFile(dataDir)} cannot be read: ${(error as Error).message}. Run as its owner.`,
    );
  }
  try {
    return JSON.parse(text) as Secrets;
  } catch {
    throw new InstallationError(
      `${secretsFile(dataDir)} is damaged. Restore it from a backup: it holds the passwords of the database.`,
    );
  }
}

/** The caller must have the lock of the data directory. */
export function readOrCreateSecrets(dataDir: string): Secrets {
  const known = readSecrets(dataDir);
  if (known !== null) return known;
  const secrets = makeSecrets();
  writeSecrets(dataDir, secrets);
  return secrets;
}

/** The caller must have the lock of the data directory. */
export function changeSecrets(dataDir: string, changes: Partial<Secrets>): void {
  writeSecrets(dataDir, { ...(readSecrets(dataDir) ?? makeSecrets()), ...changes });
}

function makeSecrets(): Secrets {
  const key = () => randomBytes(32).toString('hex');
  return { cursorKey: key(), visitorKey: key(), rolePasswords: makeRolePasswords() };
}

function writeSecrets(dataDir: string, secrets: Secrets): void {
  writePrivateFile(secretsFile(dataDir), `${JSON.stringify(secrets, null, 2)}\n`);
}

/** Writes a file of mode 0600 that is complete or absent at any moment, also after a power failure. */
export function writePrivateFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  const handle = openSync(draft, 'wx', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
}
