/**
 * A real NATS server with JetStream for tests: the installed one, or for root that of Debian, unpacked into a temporary
 * folder without installing it. Without one, the tests say so.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect as dial } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { type ConnectionOptions, connect } from '@nats-io/transport-node';
import type { CloudEvent } from '@trellis/server/events/cloud-event.ts';
import { findFreePort } from './free-port.ts';
import { until } from './until.ts';

const execute = promisify(execFile);

/** A nats-server of one test, with JetStream. */
export interface NatsTestServer {
  readonly port: number;
  readonly url: string;
  /** Starts it with the same port and stored data; with JetStream and without a login, unless given otherwise. */
  start(options?: { readonly jetstream?: boolean; readonly words?: readonly string[] }): Promise<void>;
  /** Kills it. */
  stop(): Promise<void>;
  /** Kills it and removes its data. */
  remove(): Promise<void>;
}

/** The program's path, or a sentence that says why there is none. */
export async function findNatsServer(): Promise<{ program: string } | { missing: string }> {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  const program = folders.map((folder) => join(folder, 'nats-server')).find(isExecutable);
  if (program !== undefined) return { program };
  const missing =
    'no nats-server on this machine, so nothing was tried against JetStream (apt-get install nats-server)';
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return { missing };
  try {
    return { program: await unpackFromDebian() };
  } catch (error) {
    return { missing: `${missing}; Debian's: ${String((error as Error).message).split('\n')[0]}` };
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function unpackFromDebian(): Promise<string> {
  const folder = join(tmpdir(), 'trellis-nats-server');
  const program = join(folder, 'usr', 'sbin', 'nats-server');
  const work = await mkdtemp(`${folder}-`);
  // Test files run concurrently, but apt-get cannot.
  const unpack = `test -x ${program} || (apt-get update && apt-get download nats-server && dpkg -x nats-server_*.deb ${folder})`;
  try {
    await execute('flock', [`${folder}.lock`, 'sh', '-c', unpack], { cwd: work });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return program;
}

/** Creates a server that is not running yet. */
export async function createNatsServer(program: string): Promise<NatsTestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-nats-'));
  const port = await findFreePort();
  let child: ChildProcess | null = null;
  const stop = async () => {
    if (child === null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    child = null;
  };
  return {
    port,
    url: `nats://127.0.0.1:${port}`,
    async start({ jetstream = true, words = [] } = {}) {
      const store = jetstream ? ['-js', '-sd', folder] : [];
      child = spawn(program, ['-a', '127.0.0.1', '-p', String(port), ...store, ...words], {
        stdio: 'ignore',
      });
      await until('nats-server listens', () => responds(port));
    },
    stop,
    async remove() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A message of a stream. */
export interface Stored {
  readonly subject: string;
  readonly messageId: string | undefined;
  readonly contentType: string | undefined;
  readonly event: CloudEvent;
}

/** Runs work with the manager of streams. */
export async function withStreams<T>(
  { port }: NatsTestServer,
  work: (streams: JetStreamManager['streams']) => Promise<T>,
  login: ConnectionOptions = {},
): Promise<T> {
  const connection = await connect({ servers: [`127.0.0.1:${port}`], reconnect: false, ...login });
  try {
    return await work((await jetstreamManager(connection)).streams);
  } finally {
    await connection.close();
  }
}

/** Reads all messages of a stream in order; none if it does not exist. */
export function readMessages(
  server: NatsTestServer,
  stream: string,
  login: ConnectionOptions = {},
): Promise<Stored[]> {
  return withStreams(
    server,
    async (streams) => {
      const stored: Stored[] = [];
      for await (const name of streams.names()) {
        if (name !== stream) continue;
        const { state } = await streams.info(stream);
        // The first number of an empty stream is 0, or that of the next message.
        for (let seq = Math.max(state.first_seq, 1); seq <= state.last_seq; seq += 1) {
          const message = await streams.getMessage(stream, { seq });
          if (message === null) continue;
          stored.push({
            subject: message.subject,
            messageId: message.header.get('Nats-Msg-Id'),
            contentType: message.header.get('content-type'),
            event: message.json(),
          });
        }
      }
      return stored;
    },
    login,
  );
}

/** Whether a NATS server responds on the port, with its first message. */
async function responds(port: number): Promise<boolean> {
  const socket = dial(port, '127.0.0.1');
  try {
    const [first] = await once(socket, 'data');
    return String(first).startsWith('INFO ');
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
