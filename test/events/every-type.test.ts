/**
 * Every event type of the catalogue is produced by a real call, read from the feed, and compared with the webhook in the
 * OpenAPI document. A type that no call produces fails.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventTypes } from '@trellis/schema/event-types.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { goesToTrash, hasOperation, type Resource } from '@trellis/schema/resources/resource.ts';
import { webhookEndpoints } from '@trellis/schema/resources/webhook-endpoints.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { createOrganization as createNewOrganization } from '@trellis/server/features/access/organizations.ts';
import { createToken as createNewToken } from '@trellis/server/features/access/tokens.ts';
import { createUser } from '@trellis/server/features/access/users.ts';
import { startScheduler } from '@trellis/server/features/publishing/scheduler.ts';
import { connectIdentity } from '@trellis/server/features/sign-in/external.ts';
import { makeLink } from '@trellis/server/features/sign-in/links.ts';
import { findSession } from '@trellis/server/features/sign-in/sessions.ts';
import { setUserStatus, type UserStatus } from '@trellis/server/features/sign-in/user-status.ts';
import { AddressGuard } from '@trellis/server/features/webhooks/address-guard.ts';
import { fanOutToWebhooks } from '@trellis/server/features/webhooks/fan-out.ts';
import type { Loop } from '@trellis/server/kernel/background/roles.ts';
import type { Relay } from '@trellis/server/kernel/events/relay.ts';
import type { Operation } from '@trellis/server/kernel/http/operation.ts';
import pg from 'pg';
import { pino } from 'pino';
import { AdminClient } from '../support/admin-client.ts';
import { givePassword, TestBrowser } from '../support/browser-client.ts';
import { buildPdf, encryptedTrailer } from '../support/documents.ts';
import {
  attempt,
  createOwnWorld,
  createRecord,
  freshIds,
  makeReadPicture,
  ownParameter,
  type World,
} from '../support/fixtures.ts';
import { createMember } from '../support/identities.ts';
import { readUploads } from '../support/pictures.ts';
import { type Receiver, respondWith, startReceiver } from '../support/receiver.ts';
import { startTestRelay } from '../support/relay.ts';
import { type Json, startTestServer, type TestResponse, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { createSchemaValidator } from '../support/validate-response.ts';
import { sealer, startTestDelivery, testModels } from '../support/webhooks.ts';
import { succeed } from '../support/writes.ts';

/** Resolves no name, so that the endpoints of the examples are never called. */
const guard = new AddressGuard({
  allowPrivate: ['127.0.0.0/8'],
  lookup: async () => {
    throw new Error('ENOTFOUND');
  },
});

let server: TestServer;
let world: World;
let relay: Relay;
let extraction: Loop;
let delivery: Loop;
let scheduler: Loop | null = null;
/** A receiver that responds with 410 to every call. */
let gone: Receiver;

before(async () => {
  server = await startTestServer({ webhooks: { guard, sealer } });
  relay = startTestRelay(server.database, { fanOut: fanOutToWebhooks });
  extraction = await readUploads(server);
  delivery = startTestDelivery(server.database, { guard });
  gone = await startReceiver(respondWith(410));
  world = await createOwnWorld(server);
});
after(async () => {
  await scheduler?.stop();
  await delivery?.stop();
  await extraction?.stop();
  await relay?.stop();
  await gone?.close();
  await server?.close();
});

/** The operation that updates or deletes a record of a resource. */
function itemOperation(method: 'PATCH' | 'DELETE', resource: string): Operation {
  const found = server.server.operations.find(
    (operation) => operation.method === method && ownParameter(operation) === resource,
  );
  assert.ok(found, `there is no ${method} of ${resource}`);
  return found;
}

const idOf = (resource: string) => world.ids.get(resource) ?? '';

/** Creates an article and changes its status step by step. */
async function moveArticle(...moves: readonly object[]): Promise<string> {
  const id = await createRecord(world, 'articles');
  const path = `/v1/sites/${idOf('sites')}/articles/${id}`;
  for (const versionData of moves) await succeed(server, 'PATCH', path, { versionData });
  return id;
}

async function moveBook(...statuses: string[]): Promise<string> {
  const id = await createRecord(world, 'books');
  for (const status of statuses) await succeed(server, 'PATCH', `/v1/books/${id}`, { status });
  return id;
}

/** Makes a picture public, and takes it back if `isTakenBack`. */
async function publishPicture(isTakenBack: boolean): Promise<string> {
  const id = await createRecord(world, knowledgeFiles.name);
  await makeReadPicture(world, id);
  for (const action of isTakenBack ? ['publish-picture', 'unpublish-picture'] : ['publish-picture']) {
    const response = await server.call('POST', `/v1/knowledge-files/${id}/${action}`);
    assert.equal(response.status, 200, response.text);
  }
  return id;
}

async function uploadFile(content: Buffer): Promise<string> {
  const id = await createRecord(world, knowledgeFiles.name);
  const response = await server.call('PUT', `/v1/knowledge-files/${id}/content`, {
    rawBody: content,
    headers: { 'content-type': 'application/pdf' },
  });
  assert.equal(response.status, 200, response.text);
  return id;
}

/** The calls for each type other than create, update and delete; they return the id of the record. */
const particular: Readonly<Record<string, () => Promise<string>>> = {
  'article.submitted': () => moveArticle({ status: 'IN_REVIEW' }),
  'article.returned': () =>
    moveArticle({ status: 'IN_REVIEW' }, { status: 'DRAFT', returnNote: 'Too short.' }),
  'article.approved': () => moveArticle({ status: 'IN_REVIEW' }, { status: 'APPROVED' }),
  'article.published': () => moveArticle({ status: 'PUBLISHED' }),
  'article.unpublished': () => moveArticle({ status: 'PUBLISHED' }, { status: 'UNPUBLISHED' }),
  'article.scheduled': () => {
    const scheduledFor = new Date(Date.now() + 3_600_000).toISOString();
    return moveArticle({ status: 'SCHEDULED', scheduledFor });
  },
  'article.schedule_failed': async () => {
    const [scheduledFor, unpublishAt] = [1, 2].map((hours) =>
      new Date(Date.now() + hours * 3_600_000).toISOString(),
    );
    const id = await moveArticle({ status: 'SCHEDULED', scheduledFor, unpublishAt });
    // The scheduler runs only after both times have passed.
    const admin = await AdminClient.open(server.database);
    await admin.query(
      `UPDATE trellis.article_versions SET scheduled_for = scheduled_for - interval '1 day',
         unpublish_at = unpublish_at - interval '1 day' WHERE status = 'SCHEDULED'`,
    );
    await admin.query(
      `UPDATE trellis.timers SET due_at = clock_timestamp(), available_at = clock_timestamp() WHERE kind = 'ARTICLE_PUBLISH'`,
    );
    await admin.end();
    const { worker, api } = server.database;
    const log = pino({ level: 'silent' });
    scheduler = startScheduler({ worker, api, models: testModels, nudge: () => undefined, log });
    return id;
  },
  'book.published': () => moveBook('PUBLISHED'),
  'book.unpublished': () => moveBook('PUBLISHED', 'UNPUBLISHED'),
  'issue.published': async () => {
    const id = await createRecord(world, 'issues');
    const path = `/v1/magazines/${idOf('magazines')}/issues/${id}`;
    await succeed(server, 'PATCH', path, { status: 'IN_PRODUCTION' });
    await succeed(server, 'PATCH', path, { status: 'PUBLISHED', publicationDate: '2026-03-01' });
    return id;
  },
  'knowledge-file.published': () => publishPicture(false),
  'knowledge-file.unpublished': () => publishPicture(true),
  'knowledge-file.ready': () => uploadFile(buildPdf(['A page'])),
  'knowledge-file.failed': () => uploadFile(buildPdf(['A page'], { trailer: encryptedTrailer })),
  'visitor.erased': async () => {
    const id = await createRecord(world, 'visitors');
    const response = await server.call('DELETE', `/v1/visitors/${id}`);
    assert.equal(response.status, 204, response.text);
    return id;
  },
  'webhook-endpoint.disabled': async () => {
    const body = { url: gone.url, eventTypes: ['tag.created'] };
    const { id } = (await succeed(server, 'POST', '/v1/webhook-endpoints', body)).json;
    await createRecord(world, 'tags');
    return id;
  },
};

/** Makes an invitation, and then calls. @returns its id */
async function afterInvitation(...calls: readonly [method: 'POST' | 'DELETE', action: string][]) {
  const id = await createRecord(world, 'invitations');
  for (const [method, action] of calls) {
    const response = await server.call(method, `/v1/invitations/${id}${action}`);
    assert.ok(response.status < 300, response.text);
  }
  return id;
}

/** The calls for each type of event about an invitation, which is never changed by a patch. */
const invitationChanges: typeof particular = {
  'invitation.created': () => afterInvitation(),
  'invitation.resent': () => afterInvitation(['POST', '/resend']),
  'invitation.revoked': () => afterInvitation(['DELETE', '']),
  'invitation.accepted': async () => {
    const body = { email: 'accepted@example.com', roleId: idOf('roles') };
    const { id, link } = (await succeed(server, 'POST', '/v1/invitations', body)).json;
    const account = { link: link.split('#')[1], name: 'New', password: 'nine quiet harbours' };
    const response = await new TestBrowser(server).post('/auth/invitations/accept-with-new-account', account);
    assert.equal(response.status, 200, response.text);
    return id;
  },
  'invitation.deleted': () => afterInvitation(['DELETE', ''], ['DELETE', '']),
};

/** Signs a new member in, and has them change what they sign in with. @returns the id of the member */
async function changeFactors(change: (browser: TestBrowser, userId: string) => Promise<TestResponse>) {
  const { auth, worker } = server.database;
  const userId = await createMember(worker, server.organization, 'VIEWER');
  const browser = new TestBrowser(server);
  await browser.signIn(await givePassword(auth, userId));
  const response = await change(browser, userId);
  assert.ok(response.status < 300, response.text);
  return encodeId('user', userId);
}

/** Connects an account elsewhere, as if the provider had confirmed it. */
async function connect(browser: TestBrowser): Promise<string> {
  const { auth } = server.database;
  const session = await findSession(auth, browser.secret);
  assert.ok(session);
  const by = { current: { session, secret: browser.secret }, requestId: 'connect' };
  await connectIdentity(auth, by, {
    issuer: 'https://issuer.example',
    subject: session.userId,
    isMultiFactor: false,
    authenticatedAtMs: Date.now(),
  });
  return (await browser.get('/auth/factors')).json.external[0].id;
}

/** Has an operator set the status of a new member, one after the other. */
async function changeStatus(statuses: readonly UserStatus[]): Promise<string> {
  const { auth, worker } = server.database;
  const userId = await createMember(worker, server.organization, 'VIEWER');
  for (const status of statuses) await setUserStatus(auth, userId, status, 'status');
  return encodeId('user', userId);
}

/** The calls for each type of event about what a member signs in with. */
const factorChanges: typeof particular = {
  'member.password_changed': () =>
    changeFactors((browser) =>
      browser.call('PUT', '/auth/factors/password', {
        password: 'nine quiet harbours',
        currentPassword: 'seven lighthouses hum',
      }),
    ),
  'member.factor_added': () =>
    changeFactors(async (browser) => {
      await connect(browser);
      return browser.get('/auth/factors');
    }),
  'member.factor_replaced': () => changeFactors((browser) => browser.post('/auth/factors/recovery-codes')),
  'member.factor_removed': () =>
    changeFactors(async (browser) =>
      browser.call('DELETE', `/auth/factors/external/${await connect(browser)}`),
    ),
  'member.account_disabled': () => changeStatus(['DISABLED']),
  'member.account_enabled': () => changeStatus(['DISABLED', 'ACTIVE']),
  'member.link_redeemed': () =>
    changeFactors(async (_browser, userId) => {
      const { secret } = await makeLink(server.database.auth, 'SIGN_IN', userId, server.url);
      return new TestBrowser(server).post('/auth/links/redeem', { link: secret });
    }),
};

/** The calls for each type of event about a session. */
const sessionChanges: typeof particular = {
  'session.created': () => createRecord(world, 'sessions'),
  'session.updated': async () => {
    const { auth, worker } = server.database;
    const account = await givePassword(auth, await createMember(worker, server.organization, 'VIEWER'));
    const browser = new TestBrowser(server);
    await browser.signIn(account);
    const response = await browser.post('/auth/session/step-up', { password: account.password });
    assert.equal(response.status, 200, response.text);
    return response.json.session.id;
  },
  'session.deleted': async () => {
    const id = await createRecord(world, 'sessions');
    assert.equal((await server.call('DELETE', `/v1/sessions/${id}`)).status, 204);
    return id;
  },
};

/** What creates records of resources that no operation of the API creates. */
const creations: Readonly<Record<string, () => Promise<string>>> = {
  'member.created': async () => {
    const { worker } = server.database;
    const [[organization = ''] = []] = await worker.run(
      'SELECT key FROM trellis.organizations WHERE id = $1',
      [server.organization.id],
    );
    const wanted = { email: 'new@example.com', organization: organization ?? '', role: 'VIEWER' };
    return (await createUser(worker, wanted)).id;
  },
};

/** Makes the calls for each type, and returns the id of the record that the event must be about. */
async function produceAll(): Promise<Map<string, string>> {
  const expected = new Map<string, string>();
  for (const resource of resources) {
    const { name, singular, single } = resource;
    if (single === true || !hasOperation(resource, 'update')) continue;
    const updated = await freshIds(world, itemOperation('PATCH', name));
    const created = creations[`${singular}.created`];
    expected.set(`${singular}.created`, (await created?.()) ?? updated.get(name) ?? '');
    const body = name === webhookEndpoints.name ? { description: 'Another one' } : undefined;
    const change = await attempt(world, itemOperation('PATCH', name), {
      ids: updated,
      ...(body === undefined ? {} : { body }),
    });
    assert.equal(change.status, 200, `${name}: ${change.text}`);
    expected.set(`${singular}.updated`, updated.get(name) ?? '');
    const deleted = await freshIds(world, itemOperation('DELETE', name));
    const removal = await attempt(world, itemOperation('DELETE', name), { ids: deleted });
    assert.equal(removal.status, 204, `${name}: ${removal.text}`);
    expected.set(`${singular}.deleted`, deleted.get(name) ?? '');
    if (goesToTrash(resource)) await produceOfTrash(resource, deleted, expected);
  }
  for (const [type, produce] of Object.entries({
    ...particular,
    ...factorChanges,
    ...invitationChanges,
    ...sessionChanges,
  }))
    expected.set(type, await produce());
  return expected;
}

/** Restores the deleted record, and purges it after another deletion. */
async function produceOfTrash(
  { name, singular }: Resource,
  ids: ReadonlyMap<string, string>,
  expected: Map<string, string>,
): Promise<void> {
  const id = ids.get(name) ?? '';
  const restored = await server.call('POST', `/v1/trash/${id}/restore`);
  assert.equal(restored.status, 200, `${name}: ${restored.text}`);
  expected.set(`${singular}.restored`, id);
  const other = await freshIds(world, itemOperation('DELETE', name));
  assert.equal((await attempt(world, itemOperation('DELETE', name), { ids: other })).status, 204);
  const purged = await server.call('DELETE', `/v1/trash/${other.get(name)}`);
  assert.equal(purged.status, 204, `${name}: ${purged.text}`);
  expected.set(`${singular}.purged`, other.get(name) ?? '');
}

/** Waits for the first event of a type about a record in the feed. */
function waitForEvent(type: string, subject: string): Promise<Json> {
  return until(`${type} of ${subject} is in the feed`, async () => {
    const path = `/v1/events?from=earliest&type=${type}&subject=${subject}`;
    const response = await server.call('GET', path);
    assert.equal(response.status, 200, response.text);
    return response.json.items[0];
  });
}

/** The events of the organization itself, the first of which is in the log before anybody has a token. */
async function produceOwn(): Promise<Json[]> {
  const { worker } = server.database;
  const key = 'every-type';
  const { id } = await createNewOrganization(worker, { key });
  await createUser(worker, { email: 'owner@example.com', organization: key, role: 'OWNER' });
  const { token } = await createNewToken(worker, {
    organization: key,
    email: 'owner@example.com',
    scopes: ['organization:manage', 'events:read'],
    audiences: ['api'],
    expiresInSeconds: 3_600,
    client: 'Test',
  });
  const changed = await server.call('PATCH', '/v1/organization', { token, body: { name: 'Every type' } });
  assert.equal(changed.status, 200, changed.text);
  assert.equal(changed.json.id, id);
  return until('both events are in the feed', async () => {
    const { json } = await server.call('GET', `/v1/events?type=organization.*&subject=${id}`, { token });
    return json.items.length === 2 ? json.items : undefined;
  });
}

test('every type is produced by a call, and matches the document', async () => {
  const document = await (await fetch(`${server.url}/docs/openapi.json`)).json();
  const validator = createSchemaValidator(document);
  const expected = await produceAll();
  const events: Json[] = await produceOwn();
  for (const [type, subject] of expected) {
    const event = await waitForEvent(type, subject);
    assert.equal(event.type, type);
    assert.equal(event.data.id, subject);
    events.push(event);
  }
  for (const event of events) {
    const { type } = event;
    assert.equal(event.data.resource, type.split('.')[0]);
    const schema = `document#/webhooks/${type}/post/requestBody/content/application~1json/schema`;
    const validate = validator.getSchema(schema);
    assert.ok(validate, `the document describes no call for ${type}`);
    assert.ok(validate(event), `${type}: ${JSON.stringify(validate.errors)} ${JSON.stringify(event)}`);
  }
  const catalogue = eventTypes.map(({ type }) => type);
  assert.deepEqual(events.map(({ type }) => type).sort(), [...catalogue].sort());
});

test('all types in the feed can be subscribed to and have a description', async () => {
  const catalogue = eventTypes.map(({ type }) => type);
  const rows = await server.database.worker.run(
    'SELECT type FROM trellis.events UNION SELECT type FROM trellis.outbox',
  );
  const inFeed = rows.map(([type]) => type ?? '');
  assert.ok(inFeed.length > 0);
  for (const type of inFeed) assert.ok(catalogue.includes(type), type);
});

test('the version of each event is that of its record', async () => {
  const admin = new pg.Client({ connectionString: server.database.adminUrl });
  await admin.connect();
  try {
    const log = `(SELECT type, subject_type, subject_id, subject_version FROM trellis.events
      UNION ALL SELECT type, subject_type, subject_id, subject_version FROM trellis.outbox) e`;
    const { rows: deleted } = await admin.query(
      `SELECT subject_type, max(subject_version) FILTER (WHERE type LIKE '%.deleted') AS last,
         max(subject_version) FILTER (WHERE NOT type LIKE ANY ('{%.deleted,%.purged,%.restored,%.unpublished}')) AS before,
         max(subject_version) FILTER (WHERE type LIKE '%.purged') AS purged,
         max(subject_version) FILTER (WHERE type LIKE '%.restored') AS restored
       FROM ${log} WHERE subject_type <> 'session' GROUP BY subject_type, subject_id`,
    );
    const both = deleted.filter(({ last, before }) => last !== null && before !== null);
    assert.ok(both.length > 10);
    for (const { subject_type, last, before, purged, restored } of both) {
      assert.equal(purged ?? restored ?? last + 1, last + 1, subject_type);
      // A restored file changes again when its text is extracted.
      if (restored === null) assert.equal(last, before + 1, subject_type);
    }
    for (const way of ['purged', 'restored'])
      assert.ok(both.filter((row) => row[way] !== null).length > 5, way);
    for (const { table, singular } of resources) {
      const { rows: logged } = await admin.query(
        `SELECT subject_id AS id, max(subject_version) AS version FROM ${log} WHERE subject_type = $1 GROUP BY subject_id`,
        [singular],
      );
      const { rows: records } = await admin.query(`SELECT id, version FROM trellis.${table}`);
      const versions = new Map(records.map(({ id, version }) => [id, version]));
      const both = logged.filter(({ id }) => versions.has(id));
      assert.ok(both.length > 0, singular);
      for (const { id, version } of both) assert.equal(version, versions.get(id), singular);
    }
  } finally {
    await admin.end();
  }
});
