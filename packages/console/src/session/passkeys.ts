/** Calls of the browser's authenticators (Web Authentication, https://www.w3.org/TR/webauthn-3/). */

import { signInApi } from '../api/sign-in.ts';

/** The person has cancelled, or did not respond in time. */
export class PasskeyCancelled extends Error {}

/** Whether the browser has passkeys, and the functions that convert their requests and responses to JSON. */
export function hasPasskeys(): boolean {
  return (
    'PublicKeyCredential' in globalThis &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'
  );
}

/** Has an authenticator sign. @throws PasskeyCancelled */
async function signWithPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return toJson(() => navigator.credentials.get({ publicKey }));
}

/** Proves the user's identity with a passkey. @throws PasskeyCancelled */
export async function provePasskey(): Promise<{ readonly challenge: string; readonly response: unknown }> {
  const { challenge, options } = await signInApi.beginPasskey();
  return { challenge, response: await signWithPasskey(options) };
}

/** Creates a passkey with an authenticator, and adds it to what the user signs in with. @throws PasskeyCancelled */
export async function addPasskey(name: string) {
  const { challenge, options } = await signInApi.beginEnrolment();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const response = await toJson(() => navigator.credentials.create({ publicKey }));
  return signInApi.createPasskey({ challenge, response, name });
}

async function toJson(ask: () => Promise<Credential | null>): Promise<unknown> {
  let credential: Credential | null;
  try {
    credential = await ask();
  } catch (error) {
    if (error instanceof DOMException) throw new PasskeyCancelled(error.message);
    throw error;
  }
  if (!(credential instanceof PublicKeyCredential)) throw new PasskeyCancelled();
  return credential.toJSON();
}
