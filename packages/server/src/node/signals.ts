/**
 * Why: what one role has done is work for another, at once and not when it next looks. They tell each other so, whether
 * they run in one process or in several. A signal is a hint: one that is lost costs a moment, and nothing else.
 */

/**
 * `committed`: a transaction with events is through; `filed`: one of those changed a knowledge file; `logged`: events are in
 * the log.
 */
export type Signal = 'committed' | 'filed' | 'logged';

/** Whose events a signal is about, as far as it tells. */
export type Concerned = ReadonlySet<string>;

type Listener = (organizationIds: Concerned) => void;

const nobodyInParticular: Concerned = new Set();

/** The signals of a process. */
export class Signals {
  private readonly listeners: Readonly<Record<Signal, Set<Listener>>> = {
    committed: new Set(),
    filed: new Set(),
    logged: new Set(),
  };
  private readonly forward: (signal: Signal, organizationIds: Concerned) => void;

  /** `forward`: hands what happens in this process on to the others of the node. */
  constructor(forward: (signal: Signal, organizationIds: Concerned) => void = () => undefined) {
    this.forward = forward;
  }

  /** Calls the listener whenever the signal comes, from wherever. */
  on(signal: Signal, listener: Listener): void {
    this.listeners[signal].add(listener);
  }

  /** Something has happened in this process. */
  tell(signal: Signal, organizationIds: Concerned = nobodyInParticular): void {
    this.hear(signal, organizationIds);
    this.forward(signal, organizationIds);
  }

  /** Something has happened in another one. */
  hear(signal: Signal, organizationIds: Concerned): void {
    for (const listener of this.listeners[signal]) listener(organizationIds);
  }
}
