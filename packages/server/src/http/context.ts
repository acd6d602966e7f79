/** Why: what handlers need, made once at start and passed on. */
import type { Database } from '../database/database.ts';
import type { Authenticator } from '../identity/authenticator.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import type { CursorSealer } from '../pipeline/cursor.ts';
import type { Models } from '../pipeline/model.ts';
import type { TokenWriteContext } from '../pipeline/write/plan.ts';
import type { WebhookSettings } from '../webhooks/settings.ts';
import type { OpenStreams } from './open-streams.ts';

/** What streams of events need. */
export interface EventStreams {
  /** How long a stream lasts, in ms. */
  readonly streamLifetimeMs: number;
  /** After how long a silent stream says that it is alive, in ms: proxies close what is silent. */
  readonly heartbeatMs: number;
  /** Ends all streams. */
  readonly stopping: AbortSignal;
  /** Bounds how many there are. */
  readonly open: OpenStreams;
  /** Resolves when events of the organization were logged by this node, or after so many ms. */
  wait(organizationId: string, milliseconds: number): Promise<void>;
}

export interface HttpContext {
  readonly database: Database;
  readonly authenticator: Authenticator;
  readonly models: Models;
  readonly cursors: CursorSealer;
  readonly writes: TokenWriteContext;
  readonly events: EventStreams;
  /** Where contents of files are kept. */
  readonly objects: ObjectStore;
  /** Bytes of the largest content that is accepted. */
  readonly maxContentBytes: number;
  /** How long an upload may send nothing, in ms. */
  readonly uploadIdleMs: number;
  readonly webhooks: WebhookSettings;
}
