/** An organization of its own for insiders: its roles, people, programs and sessions, and the requests of each. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { roles as builtInRoles, type Role } from '@trellis/schema/resources/grants.ts';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';
import { makeLink } from '@trellis/server/features/sign-in/links.ts';
import { TestBrowser } from '../../support/browser-client.ts';
import {
  createMember,
  createOrganization,
  createToken,
  type TestOrganization,
} from '../../support/identities.ts';
import type { Json, TestResponse, TestServer } from '../../support/server.ts';
import { rightsOf, toGrants } from './rights.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What somebody presents with a request. */
export interface Credential {
  readonly kind: 'token' | 'session' | 'program';
  /** @param requestId id of the request, and of a token's also its Idempotency-Key */
  send(method: Method, path: string, body: object | undefined, requestId: string): Promise<TestResponse>;
}

export interface Person {
  readonly uuid: string;
  /** As the API shows it. */
  readonly id: string;
  readonly role: string;
}

export interface PersonWithToken extends Person {
  readonly token: Credential;
  readonly tokenId: string;
  /** The client of the token alone. */
  readonly clientId: string;
}

/** One organization with a person who owns it and makes all that the others have. */
export class Place {
  readonly server: TestServer;
  readonly organization: TestOrganization;
  readonly owner: Credential;
  /** Uuid. */
  readonly ownerUuid: string;
  /** Somebody whom nothing happens to. */
  readonly bystander: Person;
  private readonly roleUuids = new Map<string, string>();
  private site: Promise<Json> | undefined;

  private constructor(
    server: TestServer,
    organization: TestOrganization,
    [ownerUuid, owner]: readonly [string, Credential],
    bystander: Person,
  ) {
    this.server = server;
    this.organization = organization;
    this.ownerUuid = ownerUuid;
    this.owner = owner;
    this.bystander = bystander;
    for (const role of builtInRoles) this.roleUuids.set(role, builtInRoleIds[role]);
  }

  static async create(server: TestServer, roles: Iterable<string>): Promise<Place> {
    const { worker } = server.database;
    const organization = await createOrganization(worker, `org-${randomUUID()}`);
    const owner = await createMember(worker, organization, 'OWNER');
    const { token } = await createToken(worker, organization, owner);
    const uuid = await createMember(worker, organization, 'VIEWER');
    const bystander = { uuid, id: encodeId('user', uuid), role: 'VIEWER' };
    const place = new Place(server, organization, [owner, bearer(server, token, 'token')], bystander);
    for (const role of new Set(roles)) await place.makeRole(role);
    return place;
  }

  /** Makes a role of the model with its own name, unless it is there. */
  private async makeRole(role: string): Promise<void> {
    if (this.roleUuids.has(role)) return;
    const grants = toGrants(rightsOf(role));
    const { id } = await this.make('/v1/roles', { key: role, name: role, grants });
    this.roleUuids.set(role, decodeId('role', id) ?? '');
  }

  roleUuid(role: string): string {
    const uuid = this.roleUuids.get(role);
    assert.ok(uuid, `the organization has no role ${role}`);
    return uuid;
  }

  roleId(role: string): string {
    return encodeId('role', this.roleUuid(role));
  }

  /** Sends a request of the owner that must succeed. */
  async ask(method: Method, path: string, body?: object): Promise<Json> {
    const { status, json, text } = await this.owner.send(method, path, body, randomUUID());
    assert.ok(status < 300, `${method} ${path} ${JSON.stringify(body)}: ${status} ${text}`);
    return json;
  }

  make(path: string, body: object): Promise<Json> {
    return this.ask('POST', path, body);
  }

  /** Somebody new with a role. */
  async join(role: string): Promise<Person> {
    const uuid = await createMember(this.server.database.worker, this.organization, 'VIEWER');
    const person = { uuid, id: encodeId('user', uuid), role };
    await this.setRole(person, role);
    return person;
  }

  async joinWithToken(role: string): Promise<PersonWithToken> {
    const person = await this.join(role);
    const { id: clientId } = await this.make('/v1/clients', { name: randomUUID() });
    return { ...person, clientId, ...(await this.tokenOf(person, clientId)) };
  }

  /** Gives somebody a role in the database: what led to it is of no interest. */
  async setRole({ uuid }: Pick<Person, 'uuid'>, role: string): Promise<void> {
    const stored = builtInRoles.some((name: Role) => name === role) ? role : this.roleUuid(role);
    const { worker } = this.server.database;
    await worker.run('UPDATE trellis.memberships SET role = $3 WHERE organization_id = $1 AND user_id = $2', [
      this.organization.id,
      uuid,
      stored,
    ]);
  }

  /** A token as an operator makes it. @param clientId the client, that of the organization unless given */
  async tokenOf(
    { uuid }: Pick<Person, 'uuid'>,
    clientId?: string,
    scopes?: readonly string[],
  ): Promise<{ token: Credential; tokenId: string }> {
    const client = clientId === undefined ? this.organization.clientId : decodeId('client', clientId);
    const { token, id } = await createToken(
      this.server.database.worker,
      { id: this.organization.id, clientId: client ?? '' },
      uuid,
      scopes === undefined ? {} : { scopes },
    );
    return { token: bearer(this.server, token, 'token'), tokenId: encodeId('token', id) };
  }

  /** A program with a role, whom the bystander is responsible for. */
  async program(role: string): Promise<Person> {
    const { id } = await this.make('/v1/members', {
      name: `Program ${role}`,
      roleId: this.roleId(role),
      responsibleUserId: this.bystander.id,
    });
    return { id, uuid: decodeId('user', id) ?? '', role };
  }

  /** A program with a token of an operator, who is responsible for what it does. */
  async programWithToken(role: string): Promise<Person & { readonly token: Credential }> {
    const program = await this.program(role);
    const { worker } = this.server.database;
    const { token } = await createToken(worker, this.organization, program.uuid);
    return { ...program, token: bearer(this.server, token, 'program') };
  }

  /** A link that an operator has made for somebody. */
  async linkFor({ uuid }: Pick<Person, 'uuid'>): Promise<string> {
    return (await makeLink(this.server.database.auth, 'SIGN_IN', uuid, this.server.url)).secret;
  }

  /** Signs somebody in, into no organization yet. */
  async signIn(person: Pick<Person, 'uuid'>): Promise<TestBrowser> {
    const browser = new TestBrowser(this.server);
    const { json, text } = await browser.post('/auth/links/redeem', { link: await this.linkFor(person) });
    assert.equal(json?.status, 'SIGNED_IN', text);
    return browser;
  }

  /** Signs somebody in who enters the organization. */
  async sessionOf(person: Pick<Person, 'uuid'>): Promise<Session> {
    const browser = await this.signIn(person);
    await browser.enter(this.organization.id);
    const { json } = await browser.get('/auth/session');
    return { id: json.session.id, browser, credential: bySession(browser) };
  }

  /** Gives a session a client of the console of its own. @returns its id */
  async consoleOf(sessionId: string): Promise<string> {
    const { id } = await this.make('/v1/clients', { name: randomUUID(), kind: 'CONSOLE' });
    const { worker } = this.server.database;
    await worker.run('UPDATE trellis.tokens SET client_id = $2 WHERE session_id = $1', [
      decodeId('ses', sessionId),
      decodeId('client', id),
    ]);
    return id;
  }

  /** Somebody with an account, who is signed in and a member of nothing. */
  async guest(): Promise<{ readonly email: string; readonly browser: TestBrowser }> {
    const uuid = randomUUID();
    const email = `${uuid}@example.com`;
    const { worker } = this.server.database;
    await worker.run(
      `INSERT INTO trellis.users (id, email, email_normalized, name) VALUES ($1, $2, $2, 'Guest')`,
      [uuid, email],
    );
    return { email, browser: await this.signIn({ uuid }) };
  }

  get enterPath(): string {
    return `/auth/organizations/${encodeId('org', this.organization.id)}/enter`;
  }

  /** The path of the articles of the one site. */
  async articles(): Promise<string> {
    this.site ??= this.make('/v1/sites', { name: 'Blog', key: 'blog', defaultLocale: 'de' });
    return `/v1/sites/${(await this.site).id}/articles`;
  }
}

/** A session in the organization. */
export interface Session {
  readonly id: string;
  readonly browser: TestBrowser;
  readonly credential: Credential;
}

function bearer(server: TestServer, token: string, kind: Credential['kind']): Credential {
  return {
    kind,
    send: (method, path, body, requestId) =>
      server.call(method, path, {
        token,
        key: requestId,
        headers: { 'x-request-id': requestId },
        ...(body === undefined ? {} : { body }),
      }),
  };
}

function bySession(browser: TestBrowser): Credential {
  return {
    kind: 'session',
    send: (method, path, body, requestId) =>
      browser.call(method, path, body, { headers: { 'x-request-id': requestId } }),
  };
}
