/** The dependencies of request handlers, created once at start and passed on. */

import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import type { AccessNotifier } from '../identity/access-notifier.ts';
import type { Authenticator } from '../identity/authenticator.ts';
import type { Sealer } from '../lib/sealer.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import type { CursorSealer } from '../pipeline/cursor.ts';
import type { Models } from '../pipeline/model.ts';
import type { TokenWriteContext } from '../pipeline/write/plan.ts';
import type { ExportGuard } from './export-guard.ts';
import type { OpenBodies } from './open-bodies.ts';
import type { OpenStreams } from './open-streams.ts';
import type { ReadAfter } from './read-after.ts';

/** The dependencies of event streams. */
interface EventStreams {
  /** How long a stream lasts, in ms. */
  readonly streamLifetimeMs: number;
  /** After how long without events a stream sends a heartbeat, in ms, because proxies close silent connections. */
  readonly heartbeatMs: number;
  /** Ends all streams. */
  readonly stopping: AbortSignal;
  /** Limits the number of open streams. */
  readonly open: OpenStreams;
  /** Resolves when this node has logged events of the organization, or after the time in ms. */
  wait(organizationId: string, milliseconds: number): Promise<void>;
}

/** A message in plain text. */
export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** A message that is sent unless one to the same address was sent a moment ago. */
interface OutgoingMessage {
  readonly message: Message;
  /** Whose messages to one address are counted together (uuid). */
  readonly organizationId: string;
}

/** Sends mail after the response. */
export interface MailSender {
  /** @param compose makes the message; null where nothing is to be sent any more */
  send(
    about: { readonly requestId: string; readonly route: string },
    compose: () => Promise<OutgoingMessage | null>,
  ): void;
}

export interface HttpContext {
  readonly log: Logger;
  /** Public scheme, host and port of this server; known once it listens. */
  readonly origin: () => string;
  /** Null where the server sends no mail. */
  readonly mail: MailSender | null;
  readonly database: Database;
  readonly authenticator: Authenticator;
  /** Notifies other processes of changed rights; null where there are none. */
  readonly accessNotifier: AccessNotifier | null;
  readonly models: Models;
  readonly cursors: CursorSealer;
  readonly writes: TokenWriteContext;
  readonly events: EventStreams;
  /** The store of file contents. */
  readonly objects: ObjectStore;
  /** Limits the contents that members load. */
  readonly downloads: OpenBodies;
  /** Bytes of the largest content that is accepted. */
  readonly maxContentBytes: number;
  /** How long an upload may send nothing, in ms. */
  readonly uploadIdleMs: number;
  /** Notices exports with a session. */
  readonly exports: ExportGuard;
  /** The key that the secrets of mailed links of invitations are made of. */
  readonly mailedLinkKey: Buffer;
  /** Whether and how far replicas may serve a read; null without replicas. */
  readonly readAfter: ReadAfter | null;
  /** Seals tokens, and links of invitations, in stored responses. */
  readonly tokenSealer: Sealer;
}
