/**
 * Why: what one role has done is work for another, at once and not when it next looks. They tell each other so, whether
 * they run in one process or in several. A signal is a hint: one that is lost costs a moment, and nothing else.
 */

/** `committed`: a transaction with events is through; `logged`: events are in the log. */
export type Signal = 'committed' | 'logged';

/** The signals of a process. */
export class Signals {
  private readonly listeners: Readonly<Record<Signal, Set<() => void>>> = {
    committed: new Set(),
    logged: new Set(),
  };
  private readonly forward: (signal: Signal) => void;

  /** `forward`: hands what happens in this process on to the others of the node. */
  constructor(forward: (signal: Signal) => void = () => undefined) {
    this.forward = forward;
  }

  /** Calls the listener whenever the signal comes, from wherever. */
  on(signal: Signal, listener: () => void): void {
    this.listeners[signal].add(listener);
  }

  /** Something has happened in this process. */
  tell(signal: Signal): void {
    this.hear(signal);
    this.forward(signal);
  }

  /** Something has happened in another one. */
  hear(signal: Signal): void {
    for (const listener of this.listeners[signal]) listener();
  }
}
