/**
 * The messages between the first process of a node and the worker processes that it starts. Workers talk only to it.
 */

import type { ConsolePlace } from '../../console/prepare.ts';
import type { OrganizationIds, Signal } from '../../kernel/background/signals.ts';
import type { Config } from '../../kernel/config/config.ts';
import type { Role } from '../../kernel/config/roles.ts';
import type { MetricsSnapshot } from '../../kernel/http/metrics.ts';
import type { Addresses, InstallationAccess } from '../node.ts';

/** The task of a process. */
export interface Task {
  readonly config: Config;
  readonly installation: InstallationAccess;
  /** The console; null: none is served. */
  readonly console: ConsolePlace | null;
  readonly roles: readonly Role[];
  /** Null for one that does not listen. */
  readonly port: number | null;
  readonly addresses: Addresses;
}

/** A signal of one process that others of the node may act on. */
interface SignalMessage {
  readonly type: 'signal';
  readonly signal: Signal;
  readonly organizationIds: OrganizationIds;
}

/** A message to a worker. */
export type Order =
  | { readonly type: 'start'; readonly task: Task }
  | { readonly type: 'stop' }
  | SignalMessage
  /** Asks for its metrics. */
  | { readonly type: 'count'; readonly request: number };

/** A message from a worker. */
export type Report =
  /** It is ready for its task. */
  | { readonly type: 'present' }
  | { readonly type: 'started' }
  /** It could not start. */
  | { readonly type: 'failed'; readonly message: string }
  | SignalMessage
  | { readonly type: 'counted'; readonly request: number; readonly snapshot: MetricsSnapshot };
