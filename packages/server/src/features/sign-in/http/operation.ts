/** What an operation below `/auth` is: its description, who may call it, and what its handler gets and returns. */
import type { ProblemCode } from '@trellis/schema/problem.ts';
import type { OperationDescription, ReceivedRequest } from '../../../kernel/http/operation.ts';
import type { OpenedSession } from '../sessions.ts';
import type { AuthBody, ResponseName } from './schemas.ts';

/**
 * Who may call: anyone, who is signed in, or who has signed in within the last 15 minutes; `newFactor`: within the last 2 minutes who has
 * something to sign in with.
 */
type Access = 'anyone' | 'session' | 'recent' | 'newFactor';

/** A request that was read. */
export interface AuthCall extends Pick<ReceivedRequest, 'requestId' | 'params'> {
  /** The network that it comes from, in one form for each. */
  readonly network: string;
  /** Cookie by which the browser may be known; null without one. */
  readonly browser: string | null;
  /** Browser and system, as the browser names them. */
  readonly device: string;
  /** Checked; texts in stored form, but for passwords. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as sent, for content that is validated elsewhere, such as passkey credentials. */
  readonly rawBody: Readonly<Record<string, unknown>>;
  /** The valid session of the cookie, if any. */
  readonly current: OpenedSession | null;
  /**
   * Checks that the request is meant for who is signed in, where an operation for anyone acts for that person.
   * @throws Problem invalid_header, wrong_user
   */
  readonly checkUser: () => void;
  /** Has work done after the response was sent, so that its duration reveals nothing. */
  readonly later: (work: () => Promise<void>) => void;
}

/** As `AuthCall`, of an operation that needs a session. */
export interface SignedInCall extends AuthCall {
  readonly current: OpenedSession;
}

export interface AuthResponse {
  /** Null: no body. */
  readonly body: object | null;
  /** Sets or clears the session cookie; absent: it stays unchanged. */
  readonly cookie?: { readonly secret: string; readonly keep: boolean } | 'clear';
  /** User (uuid) for whom the browser becomes a known browser, because the call proved their identity. */
  readonly knownFor?: string;
}

interface AuthDescription extends OperationDescription {
  readonly tag: 'Sign-in' | 'Invitations' | 'Session' | 'Factors';
  readonly body: AuthBody | null;
  readonly success: OperationDescription['success'] & {
    /** Component of the document; null for a response without a body. */
    readonly schemaName: ResponseName | null;
  };
  /** Whether pages learn from it who is signed in, so that they cannot name the user. All others that need a session require that. */
  readonly tellsUser?: true;
  /** Error codes besides those that every operation can return. */
  readonly problems: readonly ProblemCode[];
}

/** An operation. */
export type AuthOperation = AuthDescription &
  (
    | { readonly access: 'anyone'; readonly handle: (call: AuthCall) => Promise<AuthResponse> }
    | {
        readonly access: Exclude<Access, 'anyone'>;
        readonly handle: (call: SignedInCall) => Promise<AuthResponse>;
      }
  );

/** A text of the body that its schema requires. */
export function textOf(call: AuthCall, name: string): string {
  const value = call.body[name];
  if (typeof value !== 'string') throw new TypeError(`${name} is no text, whatever the schema says`);
  return value;
}

/** A text of the body that may be missing. */
export function optionalTextOf(call: AuthCall, name: string): string | null {
  return call.body[name] === undefined ? null : textOf(call, name);
}
