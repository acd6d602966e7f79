/** The calls below `/auth`, with which people sign in. The document `/auth/openapi.json` of the server describes them. */
import { delayAfter, wait } from '@trellis/client/retry.ts';
import { expectedUser } from './expected-user.ts';
import { isProblem, ProblemError, readProblem, unreachable } from './problem.ts';

interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

export interface Session {
  readonly id: string;
  readonly device: string;
  readonly methods: readonly string[];
  readonly multiFactor: boolean;
  readonly authenticatedAt: string;
  readonly lastUsedAt: string;
  readonly expiresAt: string;
  /** After how many seconds it ends in which the person does nothing. */
  readonly idleSeconds: number;
}

export interface SignedIn {
  readonly user: Person;
  readonly session: Session;
}

/** Where a sign-in is: done, or waiting for a code. */
export type SignInResult =
  | { readonly status: 'SIGNED_IN' }
  | { readonly status: 'SECOND_FACTOR_REQUIRED'; readonly challenge: string };

export interface Organization {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly role: string;
  readonly needsSecondFactor: boolean;
}

export interface SignInMethods {
  /** Name of the OpenID Connect provider; null when there is none. */
  readonly external: string | null;
  readonly mail: boolean;
}

/** What the link of an invitation shows. */
export interface OpenInvitation {
  readonly organizationName: string;
  readonly email: string;
  readonly roleName: string;
  readonly senderName: string;
}

/** What an authenticator is asked. */
export interface PasskeyQuestion<Options> {
  readonly challenge: string;
  readonly options: Options;
}

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

export interface Factors {
  readonly hasPassword: boolean;
  readonly hasTotp: boolean;
  readonly recoveryCodesLeft: number;
  readonly passkeys: readonly Passkey[];
  readonly external: readonly { readonly id: string; readonly issuer: string; readonly subject: string }[];
}

/** Proof of identity: two factors, or a passkey. */
export type Proof =
  | { readonly password?: string; readonly code?: string }
  | { readonly challenge: string; readonly response: unknown };

/** A new password, and the proof that the caller may replace the current one. */
export type NewPassword = { readonly password: string } & (
  | { readonly currentPassword?: string }
  | { readonly challenge: string; readonly response: unknown }
);

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

const mostAttempts = 5;
/** Time limit of a call, in milliseconds, as for those of the API: what waits is sent after the organization is entered again. */
const timeoutMs = 60_000;

/** Calls again while the server is overloaded: then it has done nothing. */
async function call<Result>(method: Method, path: string, body?: object): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await callOnce(method, path, body);
    } catch (error) {
      if (!isProblem(error, 'overloaded') || attempt === mostAttempts) throw error;
      await wait(delayAfter(attempt, error.retryAfterMs), undefined);
    }
  }
}

async function callOnce<Result>(method: Method, path: string, body?: object): Promise<Result> {
  let response: Response;
  try {
    response = await fetch(`/auth${path}`, {
      method,
      credentials: 'same-origin',
      headers: headersOf(body),
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw unreachable();
  }
  if (!response.ok) throw await readProblem(response);
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as Result;
}

function headersOf(body: object | undefined): Record<string, string> {
  const user = expectedUser();
  return {
    ...(user === null ? {} : { 'trellis-user': user }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
}

/** The session of the cookie; null when nobody is signed in. */
async function readSession(): Promise<SignedIn | null> {
  try {
    return await call<SignedIn>('GET', '/session');
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) return null;
    throw error;
  }
}

declare global {
  /** What `index.html` asks before the scripts are there. */
  var earlySession: Promise<{ readonly status: number; readonly text: string }> | undefined;
}

/** The session at the time of the page, to be read once; a request without success is sent again. */
export async function readEarlySession(): Promise<SignedIn | null> {
  const response = await globalThis.earlySession?.catch(() => undefined);
  globalThis.earlySession = undefined;
  if (response?.status === 200) return JSON.parse(response.text) as SignedIn;
  return response?.status === 401 ? null : readSession();
}

export const signInApi = {
  readSession,
  readMethods: () => call<SignInMethods>('GET', '/methods'),
  signInByPassword: (body: { email: string; password: string; staySignedIn: boolean }) =>
    call<SignInResult>('POST', '/password', body),
  signInBySecondFactor: (body: { challenge: string; code?: string; recoveryCode?: string }) =>
    call<SignInResult>('POST', '/second-factor', body),
  beginPasskey: () => call<PasskeyQuestion<PublicKeyCredentialRequestOptionsJSON>>('POST', '/passkeys/begin'),
  finishPasskey: (body: { challenge: string; response: unknown; staySignedIn: boolean }) =>
    call<SignInResult>('POST', '/passkeys/finish', body),
  beginExternal: (body: { purpose: 'SIGN_IN' | 'CONNECT' | 'STEP_UP'; staySignedIn?: boolean }) =>
    call<{ challenge: string; authorizationUrl: string }>('POST', '/external/begin', body),
  finishExternal: (body: { challenge: string; query: string }) =>
    call<SignInResult>('POST', '/external/callback', body),
  redeemLink: (link: string) => call<SignInResult>('POST', '/links/redeem', { link }),
  requestReset: (email: string) => call<void>('POST', '/password-resets', { email }),
  redeemReset: (link: string, password: string) =>
    call<void>('POST', '/password-resets/redeem', { link, password }),
  readInvitation: (link: string) => call<OpenInvitation>('POST', '/invitations/read', { link }),
  acceptWithNewAccount: (body: { link: string; name: string; password: string }) =>
    call<SignInResult>('POST', '/invitations/accept-with-new-account', body),
  acceptInvitation: (link: string) => call<void>('POST', '/invitations/accept', { link }),
  readStorageKey: async () => (await call<{ key: string }>('GET', '/storage-key')).key,
  signOut: () => call<void>('DELETE', '/session'),
  noteUse: () => call<void>('POST', '/session/use'),
  listSessions: async () => (await call<{ items: readonly Session[] }>('GET', '/sessions')).items,
  endSession: (id: string) => call<void>('DELETE', `/sessions/${id}`),
  stepUp: (proof: Proof) => call<SignedIn>('POST', '/session/step-up', proof),
  listOrganizations: async () =>
    (await call<{ items: readonly Organization[] }>('GET', '/organizations')).items,
  enterOrganization: (id: string) => call<void>('POST', `/organizations/${id}/enter`),
  readFactors: () => call<Factors>('GET', '/factors'),
  setPassword: (body: NewPassword) => call<void>('PUT', '/factors/password', body),
  beginTotp: () => call<{ challenge: string; secret: string; uri: string }>('POST', '/factors/totp'),
  confirmTotp: (challenge: string, code: string) =>
    call<{ recoveryCodes: readonly string[] }>('POST', '/factors/totp/confirm', { challenge, code }),
  removeTotp: () => call<void>('DELETE', '/factors/totp'),
  replaceRecoveryCodes: () => call<{ recoveryCodes: readonly string[] }>('POST', '/factors/recovery-codes'),
  beginEnrolment: () =>
    call<PasskeyQuestion<PublicKeyCredentialCreationOptionsJSON>>('POST', '/factors/passkeys/begin'),
  createPasskey: (body: { challenge: string; response: unknown; name: string }) =>
    call<Passkey>('POST', '/factors/passkeys', body),
  removePasskey: (id: string) => call<void>('DELETE', `/factors/passkeys/${id}`),
  disconnectExternal: (id: string) => call<void>('DELETE', `/factors/external/${id}`),
};
