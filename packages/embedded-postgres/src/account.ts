/**
 * The account that PostgreSQL runs as. PostgreSQL refuses to run as root, so for root, as in most containers, it runs as a
 * separate unprivileged account; any other user runs it directly.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** User and group, named as in the options of `child_process`. */
export interface Account {
  uid: number;
  gid: number;
}

const ACCOUNT_NAME = 'trellis';

/**
 * Chooses the account to run PostgreSQL as; undefined for the current user. An existing cluster is run by its owner;
 * for a new one the system account `trellis` is created, or an existing unprivileged one is used.
 * @throws Error when there is no such account and none can be created
 */
export async function chooseAccount(existingCluster: string | null): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  if (existingCluster !== null) {
    const { uid, gid } = statSync(existingCluster);
    if (uid !== 0) return { uid, gid };
  }
  const account = findAccount(ACCOUNT_NAME) ?? (await createAccount());
  if (account !== null) return account;
  const substitute = findAccount('postgres') ?? findAccount('nobody');
  if (substitute !== null) return substitute;
  throw new Error(
    `PostgreSQL does not run as root, and the unprivileged account "${ACCOUNT_NAME}" could not be created. Create ` +
      `it (useradd --system ${ACCOUNT_NAME}) or start as an ordinary user.`,
  );
}

/** Whether the account can reach the folder and write to it. This is tried, not derived from modes and ACLs. */
export function canWrite(account: Account | undefined, folder: string): boolean {
  const script = 'test -w "$0" && test -x "$0"';
  return spawnSync('/bin/sh', ['-c', script, folder], { ...account, cwd: '/', stdio: 'ignore' }).status === 0;
}

function findAccount(name: string): Account | null {
  const ask = (flag: string) =>
    execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const account = { uid: Number(ask('-u')), gid: Number(ask('-g')) };
    return Number.isInteger(account.uid) && account.uid !== 0 ? account : null;
  } catch {
    return null;
  }
}

async function createAccount(): Promise<Account | null> {
  const commands = [
    [
      'useradd',
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      '/nonexistent',
      '--shell',
      '/usr/sbin/nologin',
      ACCOUNT_NAME,
    ],
    ['adduser', '--system', '--group', '--no-create-home', '--home', '/nonexistent', ACCOUNT_NAME], // Debian
    ['adduser', '-S', '-D', '-H', ACCOUNT_NAME], // BusyBox
  ];
  // The tools lock /etc/passwd, and fail rather than wait, when another process is doing the same.
  for (let attempt = 0; attempt < 3; attempt++) {
    for (const [program = '', ...words] of commands) {
      spawnSync(program, words, { stdio: 'ignore' });
      const account = findAccount(ACCOUNT_NAME);
      if (account !== null) return account;
    }
    await sleep(100);
  }
  return null;
}
