/**
 * An embedded PostgreSQL in a folder of its own that is removed in any case: a process beside this one waits for its end, however it ends, and
 * then ends the server and removes the folder.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbedded } from '@trellis/embedded-postgres/embedded.ts';

const remover = fileURLToPath(new URL('./remove-temporary-server.ts', import.meta.url));

/** The folder of the embedded server in that of a temporary one. */
export const dataFolder = 'data';

export interface TemporaryServer {
  /** Where further files may be put, which are removed as well; with a slash at its end. */
  readonly folder: string;
  /** URL of the superuser for a database of the server. */
  adminUrl(database?: string): string;
  /** Ends the server at once, so that all statements fail. */
  stop(): Promise<void>;
  /** Ends it and removes everything. */
  close(): Promise<void>;
}

/**
 * Starts one.
 * @param parent the folder in which its own is made
 * @throws Error if it cannot be started here; nothing is left then
 */
export async function startTemporaryServer(
  parent: string,
  log: (line: string) => void,
): Promise<TemporaryServer> {
  const folder = await mkdtemp(join(parent, 'trellis-rehearsal-'));
  // In a process group of its own, so that Ctrl-C does not reach it. Its input ends with this process.
  const child = spawn(process.execPath, [remover, folder], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  });
  const ended = once(child, 'exit');
  const remove = async () => {
    child.stdin.end();
    await ended;
  };
  try {
    const dataDirectory = join(folder, dataFolder);
    await mkdir(dataDirectory);
    const server = await startEmbedded({ dataDirectory, log });
    return {
      folder: `${folder}/`,
      adminUrl: (database) => server.adminUrl(database),
      stop: () => server.stop('immediate'),
      async close() {
        await server.stop('immediate');
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
