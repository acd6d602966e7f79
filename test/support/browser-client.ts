/**
 * A browser as signing in sees it: it keeps the cookie, states that the page has the same origin, and names the
 * organization and the user. Responses are checked against the server's documents.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { PasswordHasher } from '@trellis/server/features/sign-in/passwords.ts';
import type { Database } from '@trellis/server/kernel/database/database.ts';
import type { TestResponse, TestServer } from './server.ts';

/** Differences of a request from one by a page of this server. */
export interface Unusual {
  /** In addition, or instead. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that are not sent. */
  readonly without?: readonly string[];
}

export class TestBrowser {
  /** The cookie of the session, as `name=value`; null when there is none. */
  cookie: string | null = null;
  /** The cookie by which this browser is known, as `name=value`; null when there is none. */
  knownBy: string | null = null;
  /** The whole Set-Cookie header of a session that came last. */
  lastSetCookie: string | null = null;
  /** Uuid of the organization that is named. */
  organizationId: string | null = null;
  /** Id of the user that is named: whoever signed in last. */
  userId: string | null = null;
  private readonly server: TestServer;
  /** Tells this browser from others for delays by network, behind a proxy that is believed. */
  private readonly address: string | null;

  constructor(server: TestServer, address: string | null = null) {
    this.server = server;
    this.address = address;
  }

  /** The secret in the cookie. */
  get secret(): string {
    return this.cookie?.split('=')[1] ?? '';
  }

  get(path: string, unusual?: Unusual): Promise<TestResponse> {
    return this.call('GET', path, undefined, unusual);
  }

  post(path: string, body?: unknown, unusual?: Unusual): Promise<TestResponse> {
    return this.call('POST', path, body, unusual);
  }

  async call(method: string, path: string, body?: unknown, unusual: Unusual = {}): Promise<TestResponse> {
    const headers: Record<string, string> = {
      'sec-fetch-site': 'same-origin',
      'user-agent': 'Test browser',
      'x-request-id': randomUUID(),
      ...this.cookieHeader(),
      ...(this.address === null ? {} : { 'x-forwarded-for': this.address }),
      ...(this.organizationId === null
        ? {}
        : { 'trellis-organization': encodeId('org', this.organizationId) }),
      ...(this.userId === null ? {} : { 'trellis-user': this.userId }),
      ...unusual.headers,
    };
    for (const name of unusual.without ?? []) delete headers[name];
    const isTenantApi = path.startsWith('/v1');
    const response = await this.server.call(method, path, {
      token: null,
      ...(isTenantApi ? {} : { key: null }),
      headers,
      ...(body === undefined ? {} : { body }),
    });
    for (const setCookie of response.headers.getSetCookie()) {
      const [pair = ''] = setCookie.split(';', 1);
      if (pair.includes('trellis_browser')) {
        this.knownBy = pair;
      } else {
        this.lastSetCookie = setCookie;
        this.cookie = pair.endsWith('=') ? null : pair;
        this.userId = response.json?.user?.id ?? this.userId;
      }
    }
    return response;
  }

  private cookieHeader(): { cookie?: string } {
    const cookies = [this.cookie, this.knownBy].filter((cookie) => cookie !== null);
    return cookies.length === 0 ? {} : { cookie: cookies.join('; ') };
  }

  /** Signs in by password, and enters the organization of the test's server. */
  async signIn(account: TestAccount): Promise<void> {
    const { email, password } = account;
    const response = await this.post('/auth/password', { email, password });
    assert.equal(response.json?.status, 'SIGNED_IN', response.text);
    await this.enter(this.server.organization.id);
  }

  /** Enters an organization (uuid), which requests name from then on. */
  async enter(organizationId: string): Promise<void> {
    const response = await this.post(`/auth/organizations/${encodeId('org', organizationId)}/enter`);
    assert.equal(response.status, 204, response.text);
    this.organizationId = organizationId;
  }
}

/** A user who can sign in. */
export interface TestAccount {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
}

const hasher = new PasswordHasher();
let hashed: { password: string; hash: string } | undefined;

/** Gives a member a password. It is the same for all, since a hash takes a while. */
export async function givePassword(auth: Database, userId: string): Promise<TestAccount> {
  const password = 'seven lighthouses hum';
  hashed ??= { password, hash: await hasher.hash(password, { name: 'tests', isKnown: true }) };
  await auth.run('INSERT INTO trellis.passwords (user_id, hash) VALUES ($1, $2)', [userId, hashed.hash]);
  const [row] = await auth.run('SELECT email FROM trellis.users WHERE id = $1', [userId]);
  return { userId, email: row?.[0] ?? '', password };
}
