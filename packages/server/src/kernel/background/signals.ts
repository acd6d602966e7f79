/**
 * Signals between the roles of a node, so that work is picked up immediately instead of at the next poll. They reach the roles
 * of the same process and, through the supervisor, those of other processes. A signal is only a hint: losing one delays
 * work until the next poll.
 */

/**
 * `committed`: a transaction with events has committed; `filed`: one of those changed a knowledge file; `logged`: events are
 * in the log.
 */
export type Signal = 'committed' | 'filed' | 'logged';

/** The organizations that a signal is about; empty when unknown. */
export type OrganizationIds = ReadonlySet<string>;

type Listener = (organizationIds: OrganizationIds) => void;

const noOrganizations: OrganizationIds = new Set();

/** The signals of a process. */
export class Signals {
  private readonly listeners: Readonly<Record<Signal, Set<Listener>>> = {
    committed: new Set(),
    filed: new Set(),
    logged: new Set(),
  };
  private readonly forward: (signal: Signal, organizationIds: OrganizationIds) => void;

  /** @param forward passes signals of this process on to the other processes of the node */
  constructor(forward: (signal: Signal, organizationIds: OrganizationIds) => void = () => undefined) {
    this.forward = forward;
  }

  /** Calls the listener for every signal of that kind, from any process. */
  on(signal: Signal, listener: Listener): void {
    this.listeners[signal].add(listener);
  }

  /** Emits a signal of this process. */
  emit(signal: Signal, organizationIds: OrganizationIds = noOrganizations): void {
    this.receive(signal, organizationIds);
    this.forward(signal, organizationIds);
  }

  /** Receives a signal of another process. */
  receive(signal: Signal, organizationIds: OrganizationIds): void {
    for (const listener of this.listeners[signal]) listener(organizationIds);
  }
}
