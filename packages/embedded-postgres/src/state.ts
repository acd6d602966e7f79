/**
 * The state of the embedded database that must survive a restart: one file in the data directory with the superuser's
 * password, the port and the folder of the cluster (see placement.ts).
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, errorMessage } from './processes.ts';

/** Contents of `postgres.json` in the data directory. */
export interface EmbeddedState {
  /** Password of the superuser `postgres`. */
  password: string;
  /** TCP port on 127.0.0.1. */
  port: number;
  /** The cluster's folder, absolute; null for `postgres` in the data directory itself, which may then be moved. */
  cluster: string | null;
  /** The data directory that this was written for. A copy of a data directory, which must not share the cluster, differs. */
  dataDirectory: string;
  /** Whether the cluster was completed. From then on, a missing cluster is an error and not a first start. */
  initialized: boolean;
}

/** Path of the state file, for messages. */
export function stateFile(dataDirectory: string): string {
  return join(dataDirectory, 'postgres.json');
}

/** The cluster's folder according to the state. */
export function clusterFolder(dataDirectory: string, state: EmbeddedState): string {
  return state.cluster ?? join(dataDirectory, 'postgres');
}

/**
 * The state of a data directory, or null before its first start.
 * @throws Error when the file is there but cannot be read
 */
export function readState(dataDirectory: string): EmbeddedState | null {
  const file = stateFile(dataDirectory);
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as Partial<EmbeddedState>;
    const { password, port, cluster = null, initialized = false } = value;
    if (typeof password !== 'string' || typeof port !== 'number')
      throw new Error('password or port is missing');
    return { password, port, cluster, dataDirectory: value.dataDirectory ?? dataDirectory, initialized };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw new Error(
      `${file}, which holds the embedded database's password, cannot be used (${errorMessage(error)}). Run this as ` +
        'the user who owns the file, or restore it from a backup.',
    );
  }
}

/** Writes the state atomically, readable by the current user only. */
export function writeState(dataDirectory: string, state: EmbeddedState): void {
  const file = stateFile(dataDirectory);
  const draft = `${file}.${process.pid}`;
  const descriptor = openSync(draft, 'w', 0o600);
  try {
    writeSync(descriptor, `${JSON.stringify(state, null, 2)}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
}
