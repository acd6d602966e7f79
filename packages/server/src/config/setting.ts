/** Why: settings of every kind are described in one form, from which they are read and the reference page is made. */

/** One thing that can be set. */
export interface Setting<T> {
  /** The environment variable. */
  readonly name: string;
  readonly description: string;
  /** What a value looks like, for the reference. */
  readonly form: string;
  /** What holds when nothing is set, as one would write it; null when there is no default value. */
  readonly default: string | null;
  /** What the lack of a value means, where there is no default. */
  readonly absent?: string;
  /** @throws Error whose message completes "NAME …", for example "must be on or off". */
  readonly read: (text: string) => T;
}

/** A setting that always has a value. */
export type Defaulted<T> = Setting<T> & { readonly default: string };

export function defaulted<T>(setting: Defaulted<T>): Defaulted<T> {
  return setting;
}

/** A setting that may have none. */
export function optional<T>(setting: Omit<Setting<T>, 'default'> & { readonly absent: string }): Setting<T> {
  return { ...setting, default: null };
}
