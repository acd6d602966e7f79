/** Accepting invitations: by a new account, by the owner of one that is there, once, and by nobody else. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';
import pg from 'pg';
import { givePassword, TestBrowser } from '../support/browser-client.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { startMailServer } from '../support/mail-server.ts';
import { expectProblem } from '../support/refusals.ts';
import { type Json, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const mail = await startMailServer();
const { received } = mail;
const server = await startTestServer({ signIn: { mail: mail.settings } });
const { auth, worker, adminUrl } = server.database;
/** As a superuser, whom no policy binds. */
const admin = new pg.Client({ connectionString: adminUrl });
before(() => admin.connect());
after(async () => {
  await admin.end();
  await server.close();
  await mail.close();
});

const password = 'eleven distant foghorns';

interface Invited {
  readonly id: string;
  readonly email: string;
  readonly link: string;
}

async function invite(
  email: string = `${randomUUID()}@example.com`,
  role: keyof typeof builtInRoleIds = 'EDITOR',
  token?: string,
): Promise<Invited> {
  const response = await server.call('POST', '/v1/invitations', {
    body: { email, roleId: encodeId('role', builtInRoleIds[role]) },
    ...(token === undefined ? {} : { token }),
  });
  assert.equal(response.status, 201, response.text);
  const { id, link } = response.json;
  return { id, email, link: link.split('#')[1] };
}

const acceptAnew = (browser: TestBrowser, link: string, more: object = {}) =>
  browser.post('/auth/invitations/accept-with-new-account', {
    link,
    name: 'Grace Hopper',
    password,
    ...more,
  });

const statusOf = async ({ id }: Invited) => (await server.call('GET', `/v1/invitations/${id}`)).json.status;

/** The types of events since the last call. */
async function newEvents(): Promise<string[]> {
  const { rows } = await admin.query<{ type: string }>(
    'WITH gone AS (DELETE FROM trellis.outbox RETURNING *) SELECT type FROM gone ORDER BY occurred_at, id',
  );
  return rows.map(({ type }) => type).sort();
}

test('accepting changes an invitation no earlier than its last change, which another node made', async () => {
  const invited = await invite();
  const uuid = decodeId('inv', invited.id);
  const changeAhead = `UPDATE trellis.invitations SET updated_at = now() + interval '1 hour' WHERE id = $1 RETURNING updated_at`;
  const { rows: ahead } = await admin.query(changeAhead, [uuid]);
  assert.equal((await acceptAnew(new TestBrowser(server), invited.link)).status, 200);
  const { rows } = await admin.query(
    `SELECT i.updated_at, e.occurred_at, i.version, e.subject_version FROM trellis.invitations i
     JOIN trellis.outbox e ON e.organization_id = i.organization_id AND e.subject_id = i.id AND e.type = 'invitation.accepted' WHERE i.id = $1`,
    [uuid],
  );
  const [{ updated_at: instant } = { updated_at: null }] = ahead;
  assert.deepEqual(rows, [{ updated_at: instant, occurred_at: instant, version: 2, subject_version: 2 }]);
});

test('a new person makes an account by the link, is a member with the role, and is signed in', async () => {
  const invited = await invite(undefined, 'AUTHOR');
  const browser = new TestBrowser(server);
  const shown = await browser.post('/auth/invitations/read', { link: invited.link });
  assert.equal(shown.status, 200, shown.text);
  assert.equal(shown.json.email, invited.email);
  assert.equal(shown.json.roleName, 'Author');
  await newEvents();
  const accepted = await acceptAnew(browser, invited.link);
  assert.equal(accepted.json?.status, 'SIGNED_IN', accepted.text);
  assert.deepEqual(await newEvents(), ['invitation.accepted', 'member.created']);
  await browser.enter(server.organization.id);
  const me = await browser.get('/v1/me');
  assert.equal(me.json.role.key, 'AUTHOR', me.text);
  assert.equal(me.json.user.email, invited.email);
  assert.equal(await statusOf(invited), 'ACCEPTED');
  const member = await server.call('GET', `/v1/members/${me.json.user.id}`);
  assert.equal(member.json.name, 'Grace Hopper');
  assert.equal(member.json.createdBy, encodeId('user', server.ownerId));
  const again = await new TestBrowser(server).post('/auth/password', { email: invited.email, password });
  assert.equal(again.json?.status, 'SIGNED_IN', again.text);
  expectProblem(await acceptAnew(new TestBrowser(server), invited.link), 410, 'link_invalid');
  expectProblem(await server.call('POST', `/v1/invitations/${invited.id}/resend`), 409, 'invalid_transition');
});

test('a password that is refused spends no link, and tells nothing of the account', async () => {
  const invited = await invite();
  const known = await givePassword(auth, await createMember(worker, await otherOrganization(), 'VIEWER'));
  const other = await invite(known.email);
  for (const { link } of [invited, other]) {
    const refused = await acceptAnew(new TestBrowser(server), link, { password: 'password1234' });
    expectProblem(refused, 422, 'validation_failed');
  }
  assert.equal(await statusOf(invited), 'PENDING');
  assert.equal((await acceptAnew(new TestBrowser(server), invited.link)).status, 200);
});

/** An organization that the server's owner is no member of. */
function otherOrganization() {
  return createOrganization(worker, `other-${randomUUID()}`);
}

test('the link gives access to no account that is there', async () => {
  const account = await givePassword(auth, await createMember(worker, await otherOrganization(), 'OWNER'));
  const invited = await invite(account.email.toUpperCase());
  await newEvents();
  const thief = new TestBrowser(server);
  expectProblem(await acceptAnew(thief, invited.link), 409, 'conflict');
  assert.equal(thief.cookie, null);
  expectProblem(await thief.post('/auth/invitations/accept', { link: invited.link }), 401, 'session_invalid');
  expectProblem(await thief.post('/auth/links/redeem', { link: invited.link }), 410, 'link_invalid');
  const reset = { link: invited.link, password };
  expectProblem(await thief.post('/auth/password-resets/redeem', reset), 410, 'link_invalid');
  const somebody = new TestBrowser(server);
  await somebody.signIn(await givePassword(auth, await createMember(worker, server.organization, 'OWNER')));
  await newEvents();
  const accept = (browser: TestBrowser) => browser.post('/auth/invitations/accept', { link: invited.link });
  expectProblem(await accept(somebody), 403, 'permission_denied');
  assert.deepEqual(await newEvents(), []);
  const owner = new TestBrowser(server);
  await owner.post('/auth/password', { email: account.email, password: account.password });
  assert.equal((await accept(owner)).status, 204);
  assert.deepEqual(await newEvents(), ['invitation.accepted', 'member.created']);
  await owner.enter(server.organization.id);
  assert.equal((await owner.get('/v1/me')).json.role.key, 'EDITOR');
  expectProblem(await accept(owner), 410, 'link_invalid');
});

test('who has become a member meanwhile is told so', async () => {
  const account = await givePassword(auth, await createMember(worker, await otherOrganization(), 'OWNER'));
  const invited = await invite(account.email);
  await admin.query(
    `INSERT INTO trellis.memberships (organization_id, user_id, role)
     SELECT $1, id, 'VIEWER' FROM trellis.users WHERE email = $2`,
    [server.organization.id, account.email],
  );
  const browser = new TestBrowser(server);
  await browser.signIn(account);
  const refused = await browser.post('/auth/invitations/accept', { link: invited.link });
  expectProblem(refused, 409, 'conflict');
  assert.equal(await statusOf(invited), 'PENDING');
});

test('an invitation is accepted once, also when 50 try at the same time', async () => {
  const account = await givePassword(auth, await createMember(worker, await otherOrganization(), 'OWNER'));
  const invited = await invite(account.email);
  const browser = new TestBrowser(server);
  await browser.post('/auth/password', { email: account.email, password: account.password });
  await newEvents();
  const tries = Array.from({ length: 50 }, () =>
    browser.post('/auth/invitations/accept', { link: invited.link }),
  );
  const responses = (await Promise.all(tries)).map(({ status }) => status);
  assert.equal(responses.filter((status) => status === 204).length, 1, responses.join());
  assert.ok(
    responses.every((status) => [204, 410, 503].includes(status)),
    responses.join(),
  );
  assert.deepEqual(await newEvents(), ['invitation.accepted', 'member.created']);
});

test('a new account is made once, also when many try at the same time', async () => {
  const invited = await invite();
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => acceptAnew(new TestBrowser(server), invited.link)),
  );
  const statuses = responses.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join());
  assert.ok(
    statuses.every((status) => [200, 410, 503].includes(status)),
    statuses.join(),
  );
  const { rows } = await admin.query(
    'SELECT FROM trellis.users u JOIN trellis.memberships m ON m.user_id = u.id WHERE u.email = $1',
    [invited.email],
  );
  assert.equal(rows.length, 1);
});

test('links that were replaced, revoked or have expired are refused', async () => {
  const refused = async (link: string) => {
    const browser = new TestBrowser(server);
    expectProblem(await browser.post('/auth/invitations/read', { link }), 410, 'link_invalid');
    expectProblem(await acceptAnew(browser, link), 410, 'link_invalid');
  };
  const invited = await invite();
  const path = `/v1/invitations/${invited.id}`;
  const resent = await server.call('POST', `${path}/resend`);
  await refused(invited.link);
  const renewed = resent.json.link.split('#')[1];
  await admin.query('UPDATE trellis.invitations SET expires_at = now() WHERE email = $1', [invited.email]);
  await refused(renewed);
  await admin.query(`UPDATE trellis.invitations SET expires_at = now() + interval '1 day' WHERE email = $1`, [
    invited.email,
  ]);
  assert.equal((await server.call('DELETE', path)).status, 204);
  await refused(renewed);
  await refused('x'.repeat(43));
});

test('an invitation is worth nothing once its sender could not send it any more', async () => {
  const senderId = await createMember(worker, server.organization, 'ADMIN');
  const { token } = await createToken(worker, server.organization, senderId);
  const member = `/v1/members/${encodeId('user', senderId)}`;
  const invited = await invite(undefined, 'ADMIN', token);
  const read = async () =>
    (await new TestBrowser(server).post('/auth/invitations/read', { link: invited.link })).status;
  const become = async (change: object) =>
    assert.equal((await server.call('PATCH', member, { body: change })).status, 200);
  assert.equal(await read(), 200);
  await become({ roleId: encodeId('role', builtInRoleIds.EDITOR) });
  assert.equal(await read(), 410);
  await become({ roleId: encodeId('role', builtInRoleIds.ADMIN) });
  assert.equal(await read(), 200);
  await become({ status: 'DISABLED' });
  assert.equal(await read(), 410);
  assert.equal((await server.call('DELETE', member)).status, 204);
  expectProblem(await acceptAnew(new TestBrowser(server), invited.link), 410, 'link_invalid');
  const resent: Json = (await server.call('POST', `/v1/invitations/${invited.id}/resend`)).json;
  const accepted = await acceptAnew(new TestBrowser(server), resent.link.split('#')[1]);
  assert.equal(accepted.status, 200, accepted.text);
});

test('the database lets nobody in but for an accepted invitation', async () => {
  const outsiderId = await createMember(worker, await otherOrganization(), 'VIEWER');
  const insert = (role: string) =>
    auth.run('INSERT INTO trellis.memberships (organization_id, user_id, role) VALUES ($1, $2, $3)', [
      server.organization.id,
      outsiderId,
      role,
    ]);
  await assert.rejects(insert('VIEWER'), /row-level security/);
  const invited = await invite();
  await admin.query(`UPDATE trellis.invitations SET status = 'ACCEPTED', user_id = $2 WHERE email = $1`, [
    invited.email,
    outsiderId,
  ]);
  await assert.rejects(insert('OWNER'), /row-level security/);
  await insert('EDITOR');
});

test('a link of its own is mailed to who is invited, and a repeated request mails none', async () => {
  const email = `${randomUUID()}@example.com`;
  const before = received.length;
  const body = { email, roleId: encodeId('role', builtInRoleIds.VIEWER) };
  for (let index = 0; index < 2; index += 1)
    await server.call('POST', '/v1/invitations', { body, key: email });
  const mailed = await mail.lastLink(email);
  const shown = (await server.call('POST', '/v1/invitations', { body, key: email })).json.link;
  assert.ok(!shown.endsWith(mailed));
  assert.equal((await acceptAnew(new TestBrowser(server), mailed)).status, 200);
  assert.equal(received.slice(before).filter(({ to }) => to.includes(email)).length, 1);
});

test('a mail that is left out leaves the link of the one that was sent good, and organizations do not delay each other', async () => {
  const invited = await invite();
  await mail.lastLink(invited.email);
  const sent = () => received.filter(({ to }) => to.includes(invited.email)).length;
  for (let index = 0; index < 6; index += 1) {
    const resent = await server.call('POST', `/v1/invitations/${invited.id}/resend`);
    assert.equal(resent.status, 200, resent.text);
  }
  // Mail is sent after the response; once that of another organization has come, what was to come has come.
  const other = await otherOrganization();
  const { token } = await createToken(worker, other, await createMember(worker, other, 'OWNER'));
  const before = sent();
  const spelled = invited.email.replace(/^[^@]+/, (local) => local.toUpperCase());
  await invite(spelled, 'VIEWER', token);
  await until('another organization has written', async () =>
    received.some(({ to }) => to.includes(spelled)),
  );
  assert.ok(before < 7 && before > 0, `${before} of 7 mails were sent`);
  const browser = new TestBrowser(server);
  const shown = await browser.post('/auth/invitations/read', { link: await mail.lastLink(invited.email) });
  assert.equal(shown.status, 200, shown.text);
});

test('a mail that the mail server refuses leaves the link of the one before good, and a later one has the same link', async () => {
  const invited = await invite();
  const mailed = await mail.lastLink(invited.email);
  /** As if the last mail to the address was long ago. */
  const resend = async () => {
    await admin.query('DELETE FROM trellis.sign_in_delays');
    const resent = await server.call('POST', `/v1/invitations/${invited.id}/resend`);
    assert.equal(resent.status, 200, resent.text);
  };
  const read = (link: string) => new TestBrowser(server).post('/auth/invitations/read', { link });
  await mail.refuseDuring(async (refused) => {
    await resend();
    await until('the mail was refused', async () => refused() > 0);
    assert.equal((await read(mailed)).status, 200);
    expectProblem(await read(invited.link), 410, 'link_invalid', 'the link that was shown before');
  });
  const sent = () => received.filter(({ to }) => to.includes(invited.email)).length;
  const before = sent();
  await resend();
  await until('another mail was sent', async () => sent() > before);
  assert.equal(await mail.lastLink(invited.email), mailed);
  const revoked = await server.call('DELETE', `/v1/invitations/${invited.id}`);
  assert.equal(revoked.status, 204, revoked.text);
  expectProblem(await read(mailed), 410, 'link_invalid');
});
