/** Starts the processes of a benchmark. Servers and load each have their own, so that their processor times are separate. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Load, LoadResult } from './load.ts';
import type { Usage } from './usage.ts';

/** A server under test. */
export interface Server {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Ids as this server writes them. */
  readonly site: string;
  readonly articles: readonly string[];
  readonly drafts: readonly string[];
  usage(): Promise<Usage>;
}

/** What one turn of one case cost. */
export interface Turn extends LoadResult {
  /** Processor time of the server's process for each request. */
  readonly cpuMs: number;
}

export type Environment = Readonly<Record<string, string>>;

const children: ChildProcess[] = [];

/** Starts one of the programs in this folder. It ends when told to, or with this process. */
export function startProcess(
  file: string,
  environment: Environment = {},
  flags: readonly string[] = [],
): ChildProcess {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    env: { ...process.env, NODE_ENV: 'production', ...environment },
    execArgv: [...process.execArgv, ...flags],
  });
  children.push(child);
  return child;
}

/** The next message of a process. @throws Error when it ends instead */
export async function nextMessage(child: ChildProcess): Promise<unknown> {
  const listening = new AbortController();
  const { signal } = listening;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(
          `${child.spawnargs.at(-1)} ended (${code}) before it responded; its reason stands above`,
        );
      }),
    ]);
  } finally {
    listening.abort();
  }
}

/** Starts a server and waits until it listens. */
export async function startServer(
  file: string,
  environment: Environment,
  rest: Omit<Server, 'url' | 'usage'>,
  flags: readonly string[] = [],
): Promise<Server> {
  const child = startProcess(file, environment, flags);
  const { port } = (await nextMessage(child)) as { port: number };
  return {
    ...rest,
    url: `http://127.0.0.1:${port}`,
    async usage() {
      child.send('usage');
      return (await nextMessage(child)) as Usage;
    },
  };
}

/**
 * Sends a load and returns what it cost the server.
 * @throws Error if a response is not 2xx
 */
export async function measure(
  loader: ChildProcess,
  server: Pick<Server, 'name' | 'url' | 'headers' | 'usage'>,
  load: Omit<Load, 'url' | 'headers'>,
): Promise<Turn> {
  const before = await server.usage();
  loader.send({ ...load, url: server.url, headers: server.headers } satisfies Load);
  const result = (await nextMessage(loader)) as LoadResult;
  const after = await server.usage();
  if (result.failures > 0) {
    const [first] = load.requests;
    throw new Error(
      `${server.name}: ${result.failures} of the calls like ${first?.method} ${first?.path} failed`,
    );
  }
  // None at all is a result too: every call took longer than the turn.
  return { ...result, cpuMs: (after.cpuMs - before.cpuMs) / Math.max(1, result.requests) };
}

/** Ends all that were started, and waits for them. */
export async function stopProcesses(): Promise<void> {
  await Promise.all(
    children.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      if (child.connected) child.disconnect();
      await ended;
    }),
  );
}
