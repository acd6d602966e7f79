/** Creates visitors as a browser does: with a publishable key, from a page. */
import assert from 'node:assert/strict';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { createBrowserClient } from '@trellis/server/features/access/clients.ts';
import type { TestOrganization } from './identities.ts';
import type { CallOptions, TestResponse, TestServer } from './server.ts';

export const pageOrigin = 'https://www.example.com';

const desktopHeaders = {
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'sec-ch-ua': '"Google Chrome";v="141", "Not?A_Brand";v="8", "Chromium";v="141"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Windows"',
};

/** Signals of a browser that can be recognized. */
export const signals = {
  screenWidth: 1920,
  screenHeight: 1080,
  timezone: 'Europe/Berlin',
  languages: ['de-DE', 'de', 'en'],
  canvasHash: '0f3a94c1b7d2e685',
  webglHash: '8d51ce02f7a9436b',
  touchPoints: 0,
};

/** A valid body with changes. */
export function identifyBody(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    agentVersion: '1.0.0',
    signals,
    consent: 'GRANTED',
    page: { origin: pageOrigin, path: '/pricing' },
    ...changes,
  };
}

export interface TestPublishableKey {
  readonly key: string;
  /** TypeID of the client. */
  readonly clientId: string;
  readonly name: string;
}

let keys = 0;

/** A publishable key of a site. `siteId`: TypeID. */
export async function createPublishableKey(
  { database }: Pick<TestServer, 'database'>,
  organization: Pick<TestOrganization, 'id'>,
  siteId: string,
  origins: readonly string[] = [pageOrigin],
): Promise<TestPublishableKey> {
  const [row] = await database.worker.run('SELECT key FROM trellis.organizations WHERE id = $1', [
    organization.id,
  ]);
  const uuid = decodeId('site', siteId);
  assert.ok(uuid !== null && row !== undefined);
  keys += 1;
  const name = `Pages ${keys}`;
  const record = await createBrowserClient(database.worker, uuid, {
    name,
    organization: row[0] ?? '',
    origins,
  });
  assert.ok(record.publishableKey !== null);
  return { key: record.publishableKey, clientId: record.id, name };
}

/** The differences of a call from the valid one. */
export interface IdentifyVariation {
  readonly body?: unknown;
  readonly rawBody?: string | Buffer;
  /** Null removes a header. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly query?: string;
}

/** Makes an identify call as a page of `pageOrigin` would. */
export function identify(
  server: Pick<TestServer, 'call'>,
  key: string,
  { body, rawBody, headers = {}, query = '' }: IdentifyVariation = {},
): Promise<TestResponse> {
  const all: Record<string, string | null> = {
    origin: pageOrigin,
    'x-client-key': key,
    ...desktopHeaders,
    ...headers,
  };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  const options: CallOptions = {
    token: null,
    key: null,
    headers: Object.fromEntries(given),
    ...(rawBody === undefined ? { body: body ?? identifyBody() } : { rawBody }),
  };
  return server.call('POST', `/v1/visitors/identify${query}`, options);
}

/** Identifies a new visitor and returns its id. */
export async function createVisitor(server: Pick<TestServer, 'call'>, key: string): Promise<string> {
  // Without signals, the visitor cannot be recognized.
  const response = await identify(server, key, { body: identifyBody({ signals: {} }) });
  assert.equal(response.status, 200, response.text);
  return response.json.visitorId;
}
