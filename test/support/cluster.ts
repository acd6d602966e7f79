/**
 * The PostgreSQL cluster that tests share. Durability is switched off for speed, because nothing has to survive a crash
 * of the machine. Tests that stop or kill the database start their own cluster with `startEmbedded`.
 */
import { accessSync, constants, statfsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { type EmbeddedDatabase, startEmbedded } from '@trellis/embedded-postgres/embedded.ts';
import { makeDataDirectory } from './folders.ts';

export interface TestCluster {
  /** URL of the superuser. */
  readonly adminUrl: string;
  /** Process id of the server's main process. */
  readonly pid: number;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

const settings = {
  max_connections: '200',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // The databases live for seconds.
  autovacuum: 'off',
};

/** A file system in memory, and how much of both must be free. */
const memoryFolder = '/dev/shm';
const neededBytes = 4 * 2 ** 30;

export interface TestClusterOptions {
  /** Folder of the programs of another PostgreSQL than the embedded one. */
  readonly binaries?: string | undefined;
  /** Whether it runs with durability, as in production; false by default. */
  readonly durable?: boolean | undefined;
}

export async function startTestCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const { binaries, durable = false } = options;
  const dataDirectory = await makeDataDirectory('cluster', chooseFolder());
  const cluster: EmbeddedDatabase = await startEmbedded({
    dataDirectory,
    log: () => undefined,
    settings: durable ? {} : settings,
    ...(binaries === undefined ? {} : { binaries }),
  });
  return {
    adminUrl: cluster.adminUrl(),
    pid: cluster.pid,
    async stop() {
      await cluster.stop('immediate');
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** The file system in memory if it has enough room, otherwise the folder for temporary files. */
function chooseFolder(): string {
  try {
    accessSync(memoryFolder, constants.W_OK);
    const { bavail, bsize } = statfsSync(memoryFolder);
    if (bavail * bsize >= neededBytes && freemem() >= neededBytes) return memoryFolder;
  } catch {
    // There is no file system in memory.
  }
  return tmpdir();
}
