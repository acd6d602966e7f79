/** The description of one setting, from which its value is read and its documentation is made. */

/** One setting. */
export interface Setting<T> {
  /** The environment variable. */
  readonly name: string;
  readonly description: string;
  /** The form of a value, for the reference. */
  readonly form: string;
  /** The default value as one would write it; null when there is none. */
  readonly default: string | null;
  /** What happens when a setting without a default is not set. */
  readonly absent?: string;
  /** @throws Error whose message continues "NAME …", for example "must be on or off". */
  readonly read: (text: string) => T;
}

/** A setting that always has a value. */
export type Defaulted<T> = Setting<T> & { readonly default: string };

export function defaulted<T>(setting: Defaulted<T>): Defaulted<T> {
  return setting;
}

/** A setting without a default. */
export function optional<T>(setting: Omit<Setting<T>, 'default'> & { readonly absent: string }): Setting<T> {
  return { ...setting, default: null };
}
