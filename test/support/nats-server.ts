/** A real NATS server with JetStream for tests. Without one, the tests say so. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect as dial } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { type ConnectionOptions, connect } from '@nats-io/transport-node';
import type { CloudEvent } from '@trellis/server/kernel/events/cloud-event.ts';
import { killChild } from './children.ts';
import { findDebianPrograms, findProgram } from './debian.ts';
import { findFreePort } from './free-port.ts';
import { until } from './until.ts';

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
  const found = await findDebianPrograms(['nats-server'], ['nats-server']);
  if ('missing' in found) return found;
  const program = findProgram('nats-server', found.environment.PATH);
  return program === null ? { missing: 'nats-server is not in its package' } : { program };
}

/** Creates a server that is not running yet. */
export async function createNatsServer(program: string): Promise<NatsTestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-nats-'));
  const port = await findFreePort();
  let child: ChildProcess | null = null;
  const stop = () => killChild(child);
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
