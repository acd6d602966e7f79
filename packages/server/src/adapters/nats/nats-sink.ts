/**
 * The sink for NATS JetStream. JetStream drops messages whose id it already has; that id is the event's, so an event that
 * is sent again after a crash is stored once.
 *
 * https://docs.nats.io/nats-concepts/jetstream/streams
 */
import { readFile } from 'node:fs/promises';
import { JetStreamApiError, type JetStreamClient, jetstream, jetstreamManager } from '@nats-io/jetstream';
import {
  connect,
  credsAuthenticator,
  errors,
  headers,
  type NatsConnection,
  nanos,
} from '@nats-io/transport-node';
import type { NatsServers } from '../../kernel/config/values.ts';
import type { CloudEvent } from '../../kernel/events/cloud-event.ts';
import type { EventSink, Sent } from '../../kernel/events/sink.ts';

export interface NatsSinkOptions {
  readonly servers: NatsServers;
  /** Path of a file with the credentials of a user (`.creds`), read for each connection; null: none. */
  readonly credentialsFile: string | null;
  readonly stream: string;
  /** Prefix of all subjects, without a trailing dot. */
  readonly subjectPrefix: string;
  /** How long a stream that is created here keeps events. */
  readonly keepMs: number;
}

/** Timeout for connecting to one server, and for a response of a server. */
const connectMs = 2_000;
const responseMs = 2_000;

/** How long a stream that is created here recognizes duplicates. */
const duplicateWindowMs = 10 * 60_000;

const streamNotFound = 10059;

/** A stream of a NATS system. */
export class NatsSink implements EventSink {
  readonly name: string;
  readonly lease = 'events to nats';
  readonly title = 'the forwarder of events to NATS';
  private readonly options: NatsSinkOptions;
  private connection: NatsConnection | null = null;
  private client: JetStreamClient | null = null;

  constructor(options: NatsSinkOptions) {
    this.options = options;
    this.name = `nats ${options.stream}`;
  }

  async open(): Promise<void> {
    if (this.client !== null && this.connection?.isClosed() === false) return;
    await this.close();
    try {
      this.connection = await this.connect();
      await this.findStream(this.connection);
    } catch (error) {
      await this.close();
      throw error;
    }
    this.client = jetstream(this.connection, { timeout: responseMs });
  }

  async send(organization: string, events: readonly CloudEvent[], signal: AbortSignal): Promise<Sent> {
    const { client } = this;
    let acknowledged = 0;
    try {
      if (client === null) throw new errors.ClosedConnectionError();
      for (const event of events) {
        await this.publish(client, organization, event);
        acknowledged += 1;
        if (signal.aborted) break;
      }
      return { acknowledged, failure: null };
    } catch (error) {
      // A connection without a response may be dead, so the next attempt opens a new one.
      this.client = null;
      return { acknowledged, failure: explain('NATS did not accept an event', error) };
    }
  }

  async close(): Promise<void> {
    const { connection } = this;
    this.connection = null;
    this.client = null;
    await connection?.close();
  }

  private async publish(client: JetStreamClient, organization: string, event: CloudEvent): Promise<void> {
    const { stream, subjectPrefix } = this.options;
    const head = headers();
    head.set('content-type', 'application/cloudevents+json');
    await client.publish(`${subjectPrefix}.${organization}.${event.type}`, JSON.stringify(event), {
      msgID: event.id,
      headers: head,
      // Another stream may use the same subjects; its acknowledgement does not count.
      expect: { streamName: stream },
    });
  }

  private async connect(): Promise<NatsConnection> {
    const { servers, credentialsFile } = this.options;
    const where = `NATS at ${servers.addresses.join(', ')} cannot be used`;
    try {
      return await connect({
        servers: [...servers.addresses],
        ...(servers.tls ? { tls: {} } : {}),
        ...(credentialsFile === null
          ? servers.login
          : { authenticator: credsAuthenticator(await readFile(credentialsFile)) }),
        name: 'trellis',
        timeout: connectMs,
        // The next send reconnects, and then checks that the stream still exists.
        reconnect: false,
      });
    } catch (error) {
      throw explain(where, error);
    }
  }

  /** Uses a stream that exists as it is; creates it otherwise. */
  private async findStream(connection: NatsConnection): Promise<void> {
    const { stream, subjectPrefix, keepMs } = this.options;
    try {
      // Asking for the account's limits would need a further permission.
      const { streams } = await jetstreamManager(connection, { timeout: responseMs, checkAPI: false });
      try {
        await streams.info(stream);
      } catch (error) {
        if (!(error instanceof JetStreamApiError && error.code === streamNotFound)) throw error;
        await streams.add({
          name: stream,
          subjects: [`${subjectPrefix}.>`],
          max_age: nanos(keepMs),
          duplicate_window: nanos(duplicateWindowMs),
        });
      }
    } catch (error) {
      throw explain(`The NATS stream "${stream}" cannot be used`, error);
    }
  }
}

/** An error for the operator: what failed, and why. The client's messages contain no password. */
function explain(what: string, error: unknown): Error {
  const { name, message } = error as Error;
  const reason =
    name === 'JetStreamNotEnabled'
      ? 'JetStream is not enabled there, or its subjects do not respond'
      : message;
  return new Error(`${what}: ${reason}.`, { cause: error });
}
