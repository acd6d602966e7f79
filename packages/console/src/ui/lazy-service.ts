/** A service whose code is loaded after the pages. Earlier calls wait, and fail if it cannot be loaded. */
import { useEffect, useMemo } from 'react';
import { whenIdle } from './when-idle.ts';

/** A service, and the state that pages show of it. */
export class LazyService<Service extends { stop(): unknown }, State> {
  private readonly start: (show: (state: State) => void) => Promise<Service>;
  private readonly listeners = new Set<() => void>();
  private starting: Promise<Service> | null = null;
  private shown: State;
  private isStopped = false;

  /** @param start loads the service; it calls `show` whenever its state has changed */
  constructor(start: (show: (state: State) => void) => Promise<Service>, initial: State) {
    this.start = start;
    this.shown = initial;
  }

  /** The service, which is started unless it is already; after a failure each call tries again. @throws why it cannot be started */
  get(): Promise<Service> {
    if (this.isStopped) return Promise.reject(new Error('the service has been stopped'));
    if (this.starting !== null) return this.starting;
    const starting = this.start((state) => this.show(state));
    this.starting = starting;
    starting.catch(() => {
      this.starting = null;
    });
    return starting;
  }

  /** Stops the service for good. */
  stop(): void {
    this.isStopped = true;
    this.starting?.then(
      (service) => service.stop(),
      () => undefined,
    );
  }

  readonly state = (): State => this.shown;

  /** Calls back whenever the state has changed. @returns ends that */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private show(state: State): void {
    if (this.isStopped) return;
    this.shown = state;
    for (const listener of this.listeners) listener();
  }
}

/**
 * A service for as long as the component is shown. When `make` changes, the old one is stopped, and everything that asks from
 * then on asks the new one.
 * @param begin called when the page has been shown
 */
export function useLazyService<Service extends { stop(): unknown }, State>(
  make: () => LazyService<Service, State>,
  begin: (lazy: LazyService<Service, State>) => Promise<unknown>,
): LazyService<Service, State> {
  const lazy = useMemo(make, [make]);
  useEffect(() => {
    // A failure here is reported by the next call of the service.
    const cancel = whenIdle(() => void begin(lazy).catch(() => undefined));
    return () => {
      cancel();
      lazy.stop();
    };
  }, [lazy, begin]);
  return lazy;
}
