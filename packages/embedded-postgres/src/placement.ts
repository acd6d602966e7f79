/**
 * Decides where the cluster and the programs are. Normally they are in the data directory and in the npm package. For root,
 * PostgreSQL runs as another user, who may be unable to reach these folders, as in a clone under /root (mode 0700). The
 * permissions of the user's folders are never changed: the cluster and a copy of the programs are then in
 * /var/lib/trellis.
 */
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Account, canWrite, chooseAccount } from './account.ts';
import { copyInstallation, findInstallation, type Installation, readMajorVersion } from './installation.ts';
import { chooseFreePort } from './ports.ts';
import { clusterFolder, type EmbeddedState, readState, stateFile, writeState } from './state.ts';

const COMMON_FOLDER = '/var/lib/trellis';

/** The paths, account and state needed to start the server of a data directory. */
export interface Placement {
  dataDirectory: string;
  state: EmbeddedState;
  /** The cluster's folder; it may not exist yet, its parent does. */
  cluster: string;
  account: Account | undefined;
  installation: Installation;
  /** Major version of the programs, for example 18. */
  majorVersion: number;
}

/**
 * Finds out where everything is; on the first start, decides and stores it.
 * @throws Error when the programs cannot run or a cluster that existed is gone
 */
export async function findPlacement(
  dataDirectory: string,
  binaries: string | undefined,
  log: (line: string) => void,
): Promise<Placement> {
  mkdirSync(dataDirectory, { recursive: true });
  const known = readState(dataDirectory);
  if (known !== null) rejectCopy(dataDirectory, known);
  const knownCluster = known === null ? null : clusterFolder(dataDirectory, known);
  const clusterExists = knownCluster !== null && existsSync(knownCluster);
  if (known?.initialized && !clusterExists) {
    throw new Error(
      `The embedded database's folder ${knownCluster} is gone. Restore it from a backup, or delete ` +
        `${stateFile(dataDirectory)} to begin with an empty database.`,
    );
  }
  const account = await chooseAccount(clusterExists ? knownCluster : null);
  const { installation, majorVersion } = findReachableInstallation(binaries, account, log);
  const state = known ?? {
    password: randomBytes(24).toString('base64url'),
    port: await chooseFreePort(),
    cluster: chooseClusterFolder(dataDirectory, account, log),
    dataDirectory,
    initialized: false,
  };
  if (known === null) writeState(dataDirectory, state);
  const cluster = clusterFolder(dataDirectory, state);
  return { dataDirectory, state, cluster, account, installation, majorVersion };
}

function rejectCopy(dataDirectory: string, state: EmbeddedState): void {
  const original = state.dataDirectory;
  if (
    state.cluster !== null &&
    original !== dataDirectory &&
    readState(original)?.cluster === state.cluster
  ) {
    throw new Error(
      `${dataDirectory} is a copy of ${original}, whose database is in ${state.cluster} and was not copied. Use ` +
        `${original}, or make a backup of it and restore that here.`,
    );
  }
  state.dataDirectory = dataDirectory;
}

function findReachableInstallation(
  binaries: string | undefined,
  account: Account | undefined,
  log: (line: string) => void,
): { installation: Installation; majorVersion: number } {
  const found = findInstallation(binaries);
  const majorVersion = readMajorVersion(found, account);
  if (typeof majorVersion === 'number') return { installation: found, majorVersion };
  if (account !== undefined) {
    const copy = copyInstallation(found, COMMON_FOLDER);
    const copyVersion = readMajorVersion(copy, account);
    if (typeof copyVersion === 'number') {
      log(`PostgreSQL runs from a copy in ${copy.folder}, because its user cannot reach ${found.folder}`);
      return { installation: copy, majorVersion: copyVersion };
    }
  }
  throw new Error(
    `The PostgreSQL in ${found.folder} does not run here: ${majorVersion.message.trim()}. Give your own ` +
      'PostgreSQL (15 or later) in TRELLIS_DATABASE_URL.',
  );
}

/** @returns null for the default folder inside the data directory */
function chooseClusterFolder(
  dataDirectory: string,
  account: Account | undefined,
  log: (line: string) => void,
): string | null {
  const usual = join(dataDirectory, 'postgres');
  if (existsSync(usual)) {
    throw new Error(
      `${usual} holds a database, but its password is missing: ${stateFile(dataDirectory)} is gone. Restore that ` +
        `file, or move ${usual} away to begin with an empty database.`,
    );
  }
  if (account === undefined) return null;
  const trial = join(dataDirectory, `.reach-${process.pid}`);
  mkdirSync(trial);
  chownSync(trial, account.uid, account.gid);
  const reachable = canWrite(account, trial);
  rmSync(trial, { recursive: true });
  if (reachable) return null;

  const folder = join(COMMON_FOLDER, createHash('sha256').update(dataDirectory).digest('hex').slice(0, 12));
  mkdirSync(folder, { recursive: true });
  chmodSync(COMMON_FOLDER, 0o755);
  chmodSync(folder, 0o755);
  const cluster = join(folder, 'postgres');
  if (existsSync(cluster)) {
    // The data directory was deleted to start from scratch. Its cluster is kept once, in case that was a mistake.
    const abandoned = join(folder, 'postgres.abandoned');
    rmSync(abandoned, { recursive: true, force: true });
    renameSync(cluster, abandoned);
    log(`found the database of an earlier data directory of the same name and moved it to ${abandoned}`);
  }
  log(`the database is in ${cluster}, because PostgreSQL's user cannot reach ${dataDirectory}`);
  return cluster;
}
