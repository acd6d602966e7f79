/**
 * Why: the processes of a node know of each other only what they say here. The first process starts the others and is the
 * only one they talk to; it hands on.
 */
import type { Config } from '../../config/config.ts';
import type { Role } from '../../config/roles.ts';
import type { MetricsSnapshot } from '../../http/metrics.ts';
import type { Addresses, InstallationAccess } from '../node.ts';
import type { Concerned, Signal } from '../signals.ts';

/** What a process is to be. */
export interface Task {
  readonly config: Config;
  readonly installation: InstallationAccess;
  readonly roles: readonly Role[];
  /** Null for one that does not listen. */
  readonly port: number | null;
  readonly addresses: Addresses;
}

/** Something has happened in one process that others of the node may act on. */
export interface SignalMessage {
  readonly type: 'signal';
  readonly signal: Signal;
  readonly organizationIds: Concerned;
}

/** To a process. */
export type Order =
  | { readonly type: 'start'; readonly task: Task }
  | { readonly type: 'stop' }
  | SignalMessage
  /** Asks what it has counted. */
  | { readonly type: 'count'; readonly request: number };

/** From a process. */
export type Report =
  /** It can be told what to do. */
  | { readonly type: 'present' }
  | { readonly type: 'started' }
  /** It could not start. */
  | { readonly type: 'failed'; readonly message: string }
  | SignalMessage
  | { readonly type: 'counted'; readonly request: number; readonly snapshot: MetricsSnapshot };
