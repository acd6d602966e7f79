/** A real Redis server for tests. Without one, the tests say so. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { killChild } from './children.ts';
import { type DebianPrograms, findDebianPrograms } from './debian.ts';
import { findFreePort } from './free-port.ts';
import { until } from './until.ts';

/** The environment in which redis-server is found, or a sentence that says why there is none. */
export function findRedisServer(): Promise<DebianPrograms> {
  return findDebianPrograms(['redis-server'], ['redis-server']);
}

/** A redis-server of one test, which stores nothing. */
export interface RedisTestServer {
  readonly url: string;
  /** Starts it on the same port, and waits until it serves. */
  start(): Promise<void>;
  /** Kills it. */
  stop(): Promise<void>;
  /** Sends it a signal, such as SIGSTOP. */
  signal(signal: NodeJS.Signals): void;
  /** Runs one command. */
  run(...command: string[]): Promise<unknown>;
  /** Kills it and removes its folder. */
  remove(): Promise<void>;
}

/** Creates a server that is not running yet. @param environment in which the program is found */
export async function createRedisServer(
  environment: NodeJS.ProcessEnv,
  { password = null }: { password?: string | null } = {},
): Promise<RedisTestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-redis-'));
  const port = await findFreePort();
  const url = `redis://${password === null ? '' : `:${password}@`}127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  const run = async (...command: string[]) => {
    const client = createClient({
      url,
      RESP: 2,
      disableClientInfo: true,
      socket: { reconnectStrategy: false },
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await client.sendCommand(command);
    } finally {
      client.destroy();
    }
  };
  const stop = () => killChild(child);
  return {
    url,
    async start() {
      const words = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--dir', folder];
      const login = password === null ? [] : ['--requirepass', password];
      child = spawn('redis-server', [...words, ...login], { stdio: 'ignore', env: environment });
      await until('redis-server serves', () =>
        run('PING').then(
          (response) => String(response) === 'PONG',
          () => false,
        ),
      );
    },
    stop,
    signal: (name) => child?.kill(name),
    run,
    async remove() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
