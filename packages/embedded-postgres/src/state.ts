// What has to survive a restart lies in one small file in the data directory: the superuser's password, the port, and
// where the cluster is, which is not always beside it (see placement.ts).

import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, errorMessage } from './processes.ts';

/** Contents of `postgres.json` in the data directory. */
export interface EmbeddedState {
  /** Of the superuser `postgres`. */
  password: string;
  /** On 127.0.0.1. */
  port: number;
  /** The cluster's folder, absolute; null for `postgres` in the data directory itself, which may then be moved. */
  cluster: string | null;
  /** The data directory this was written for, which tells a moved one from a copy that must not share the cluster. */
  dataDirectory: string;
  /** Whether the cluster was ever completed: from then on a missing one is a loss and not a fresh start. */
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

/** Writes the state, readable by us alone, so that after a crash either the old or the new one is there whole. */
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
