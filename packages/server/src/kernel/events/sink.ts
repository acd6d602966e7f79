/**
 * The interface of a message system that events are forwarded to. The forwarder handles leases, order and cursors; a sink
 * only knows how to talk to its system.
 */
import type { CloudEvent } from './cloud-event.ts';

/** A message system that events are sent to. */
export interface EventSink {
  /** Names its cursors in the database. A new name starts over at the oldest stored event. */
  readonly name: string;
  /** The row of `trellis.leases` under which one process at a time sends. */
  readonly lease: string;
  /** Name for the log: `the forwarder of events to NATS`. */
  readonly title: string;
  /** Connects and makes sure that events can be stored. @throws Error with a sentence for the operator */
  open(): Promise<void>;
  /**
   * Sends events of one organization in order, each after the previous one was acknowledged, until one fails or the signal
   * aborts. Called for several organizations at once. Never rejects.
   * @param organization its public id
   */
  send(organization: string, events: readonly CloudEvent[], signal: AbortSignal): Promise<Sent>;
  close(): Promise<void>;
}

/** The result of sending. */
export interface Sent {
  /** How many events, counted from the first, the system has acknowledged. */
  readonly acknowledged: number;
  /** Why not all were acknowledged; null when all were or time ran out. */
  readonly failure: Error | null;
}
