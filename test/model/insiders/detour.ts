/** What a detour is: a request over what belongs to somebody else, and the rule that says who may. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestResponse } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import type { Credential, Method, Person, PersonWithToken, Place, Session } from './organization.ts';
import { covers, has, type Right, type Standing } from './rights.ts';

/** Who tries a detour. */
export interface Caller extends PersonWithToken {
  readonly session: Session;
  readonly program: Person & { readonly token: Credential };
}

/** One request, ready to be sent by whomever. */
export interface Target {
  ask(by: Credential, requestId: string): Promise<TestResponse>;
  /** Looks at what must be so after it has worked. @param callerUuid who asked */
  verify?(callerUuid: string): Promise<void>;
  /** Removes what would fill the organization up. */
  dispose?(): Promise<unknown>;
}

export interface Detour {
  /** The rule. @param others the rights of the role of whom or what it is about */
  may(standing: Standing, others: readonly Right[]): boolean;
  /** Makes what belongs to somebody of a role. */
  prepare(place: Place, role: string, caller: Caller): Promise<Target>;
  /**
   * Whose the target is: somebody else's, whoever asks; made for one caller; or what a caller has made while they had every right, and what
   * they present with the request does not matter.
   */
  readonly of?: 'somebody' | 'caller' | 'former owner';
  /** What it can be asked with; all three unless given. */
  readonly by?: readonly Credential['kind'][];
  /** Whether the rights of the role stand in the request itself, without those that no organization can give. */
  readonly isCopy?: true;
  /** Whether it is about a role at all; where it is not, one is as good as any. */
  readonly isAboutNoRole?: true;
  /** Whether the caller has another role after it. */
  readonly changesCaller?: true;
  /** Whether a response is one to a request that was let in, where its status does not say so. */
  isLetIn?(response: TestResponse): boolean;
}

/** The codes with which a request is refused. */
const refusals: readonly string[] = [
  ...['token_invalid', 'session_invalid', 'link_invalid', 'wrong_user', 'organization_suspended'],
  ...['module_disabled', 'insufficient_scope', 'permission_denied', 'not_found', 'in_use'],
];

/** What has become of a request. */
export interface Attempt {
  readonly label: string;
  readonly requestId: string;
  readonly worked: boolean;
}

/** How often a request is sent that an overloaded server has not looked at. */
const mostSent = 50;

/** Sends the request, again while the server is overloaded: then nothing was decided. @param requestId that of an earlier attempt, to repeat it @throws AssertionError for a response that is neither a success nor a refusal */
export async function attempt(
  label: string,
  { isLetIn = ({ status }) => status < 300 }: Detour,
  target: Target,
  by: Credential,
  requestId: string = randomUUID(),
): Promise<Attempt> {
  let response = await target.ask(by, requestId);
  for (let sent = 1; response.json?.code === 'overloaded' && sent < mostSent; sent += 1) {
    await sleep(100);
    response = await target.ask(by, requestId);
  }
  const { status, json, text } = response;
  const shown = `${label} by ${by.kind}: ${status} ${text}`;
  const worked = isLetIn(response);
  if (!worked) assert.ok(refusals.includes(json?.code), `neither works nor is refused: ${shown}`);
  return { label: shown, requestId, worked };
}

/** A target that one request is about. */
export function request(method: Method, path: string, body?: object): Target {
  return { ask: (by, requestId) => by.send(method, path, body, requestId) };
}

/** A target that one request makes; what it has made is removed, where the organization has a limit. */
export function creation(place: Place, path: string, body: object): Target {
  const made: string[] = [];
  return {
    async ask(by, requestId) {
      const response = await by.send('POST', path, body, requestId);
      if (response.status === 201) made.push(response.json.id);
      return response;
    },
    dispose: () => Promise.all(made.map((id) => place.ask('DELETE', `${path}/${id}`))),
  };
}

/** Rules of most detours. */
export const never = () => false;
export const withRights =
  (...wanted: Right[]) =>
  (standing: Standing) =>
    has(standing, ...wanted);
export const withRightsOver =
  (...wanted: Right[]) =>
  (standing: Standing, others: readonly Right[]) =>
    has(standing, ...wanted) && covers(standing, others);

/** What a person of a role has made; as an owner, who may make everything. */
export async function madeBy<T>(
  place: Place,
  role: string,
  make: (maker: PersonWithToken) => Promise<T>,
): Promise<{ readonly made: T; readonly maker: PersonWithToken }> {
  const maker = await place.joinWithToken('OWNER');
  const made = await make(maker);
  await place.setRole(maker, role);
  return { made, maker };
}

/** Makes something with somebody's credential. @returns its id */
export async function make(by: Credential, path: string, body: object): Promise<string> {
  const requestId = randomUUID();
  // A busy machine turns some requests away; the same one, sent again, is done once.
  const { status, json, text } = await until('a response', async () => {
    const response = await by.send('POST', path, body, requestId);
    return response.status !== 503 && response;
  });
  assert.ok(status < 300, `${path} ${JSON.stringify(body)}: ${status} ${text}`);
  return json.id;
}
