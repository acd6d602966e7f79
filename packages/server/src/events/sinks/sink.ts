/**
 * Why: events may go on to a message system of the operator's. Everything that must be right about that (whose turn it
 * is, what comes next, what has arrived) is the forwarder's; a sink only knows how its system is spoken to.
 */
import type { CloudEvent } from '../cloud-event.ts';

/** A message system that events are sent to. */
export interface EventSink {
  /** Names its cursors in the database: another name begins anew, at the oldest event that is kept. */
  readonly name: string;
  /** The row in `trellis.leases` under which one process at a time sends to it. */
  readonly lease: string;
  /** For people: `the forwarder of events to NATS`. */
  readonly title: string;
  /** Makes sure that there is a connection and a place for events. @throws Error with a sentence for the operator */
  open(): Promise<void>;
  /**
   * Sends events of one organization in their order, each after the one before it was acknowledged, until one fails or
   * the signal says that time is up. Called for several organizations at once. Never rejects.
   * @param organization its public id
   */
  send(organization: string, events: readonly CloudEvent[], signal: AbortSignal): Promise<Sent>;
  close(): Promise<void>;
}

/** What became of the events. */
export interface Sent {
  /** How many of them, from the first on, the system has for certain. */
  readonly acknowledged: number;
  /** Why it is not all of them, when it is not for lack of time. */
  readonly failure: Error | null;
}
