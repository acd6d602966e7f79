/** Restricted files are found by exactly those who may see them, at once, whoever has written their readers. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';
import pg from 'pg';
import { createMember, createToken } from '../support/identities.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';
import { create } from '../support/writes.ts';

let server: TestServer;
let admin: pg.Client;
const viewer = { uuid: '', token: '' };
const editor = { uuid: '', token: '' };

before(async () => {
  server = await startTestServer();
  admin = new pg.Client({ connectionString: server.database.adminUrl });
  await admin.connect();
  for (const [member, role] of [[viewer, 'VIEWER'] as const, [editor, 'EDITOR'] as const]) {
    member.uuid = await createMember(server.database.worker, server.organization, role);
    const { token } = await createToken(server.database.worker, server.organization, member.uuid);
    member.token = token;
  }
});
after(async () => {
  await admin?.end();
  await server?.close();
});

/** Names of the files that somebody finds: by both orders of the list, by a filter and by a search, which have to agree. */
async function seen({ token }: { token: string }): Promise<string[]> {
  const names = async (path: string) => {
    const all: string[] = [];
    let cursor = '';
    do {
      const { status, json, text } = await server.call('GET', `${path}${cursor}`, { token });
      assert.equal(status, 200, text);
      all.push(...json.items.map((item: Json) => item.name ?? item.data?.name ?? item.record?.name));
      const { nextCursor } = json.pageInfo;
      cursor = nextCursor === null ? '' : `&cursor=${encodeURIComponent(nextCursor)}`;
    } while (cursor !== '');
    return all;
  };
  const newest = await names('/v1/knowledge-files?sort=-createdAt&limit=2');
  assert.deepEqual(await names('/v1/knowledge-files?sort=createdAt&limit=2'), newest.toReversed());
  assert.deepEqual(await names('/v1/knowledge-files?sort=-createdAt&limit=2&search=paper'), newest);
  assert.deepEqual(
    (await names('/v1/knowledge-files/search?query=paper&limit=2')).toSorted(),
    newest.toSorted(),
  );
  return newest.toReversed();
}

/** Every record that says whose list it is on is on exactly those lists. */
async function checkLists(): Promise<void> {
  const { rows } = await admin.query(`
    SELECT s.record_id, s.readers, l.readers
    FROM trellis.search_records s CROSS JOIN LATERAL (
      SELECT array_agg(r.reader ORDER BY r.reader) AS readers FROM trellis.search_readers r
      WHERE (r.organization_id, r.type, r.record_id, r.edition) = (s.organization_id, s.type, s.record_id, s.edition)
        AND (r.parent_id, r.created_at) = (s.parent_id, s.created_at)
    ) l
    WHERE l.readers IS DISTINCT FROM (SELECT array_agg(DISTINCT reader ORDER BY reader) FROM unnest(s.readers) AS reader)`);
  assert.deepEqual(rows, []);
}

const makeFile = (name: string, visibility: object) =>
  create(server, '/v1/knowledge-files', { name: `paper ${name}`, ...visibility });
const change = async (id: string, body: object) => {
  const { json } = await server.call('GET', `/v1/knowledge-files/${id}`);
  const { status, text } = await server.call('PATCH', `/v1/knowledge-files/${id}`, {
    body,
    headers: { 'if-match': `"${json.version}"` },
  });
  assert.equal(status, 200, text);
};

test('who may see a file finds it as soon as that is so, and nobody else', async () => {
  const everyone = { visibility: 'ORGANIZATION' };
  const forViewer = {
    visibility: 'RESTRICTED',
    allowedUserIds: [encodeId('user', viewer.uuid)],
    allowedRoles: [],
  };
  const forEditors = { visibility: 'RESTRICTED', allowedUserIds: [], allowedRoles: ['EDITOR'] };
  const nobody = { visibility: 'PRIVATE', allowedUserIds: [], allowedRoles: [] };
  const open = await makeFile('open', everyone);
  const own = await makeFile('own', forViewer);
  const edited = await makeFile('edited', forEditors);
  await makeFile('hidden', nobody);
  await checkLists();
  assert.deepEqual(await seen(viewer), ['paper open', 'paper own']);
  assert.deepEqual(await seen(editor), ['paper open', 'paper edited']);

  await change(open.id, { ...forEditors });
  await change(own.id, { visibility: 'ORGANIZATION' });
  await change(edited.id, { ...forViewer, allowedRoles: ['EDITOR', 'VIEWER'] });
  await checkLists();
  assert.deepEqual(await seen(viewer), ['paper own', 'paper edited']);
  assert.deepEqual(await seen(editor), ['paper open', 'paper own', 'paper edited']);

  await change(edited.id, { ...nobody, name: 'paper taken back' });
  await checkLists();
  assert.deepEqual(await seen(viewer), ['paper own']);

  const { json } = await server.call('GET', `/v1/knowledge-files/${edited.id}`);
  const gone = await server.call('DELETE', `/v1/knowledge-files/${edited.id}`, {
    headers: { 'if-match': `"${json.version}"` },
  });
  assert.equal(gone.status, 204, gone.text);
  const { rows } = await admin.query('SELECT FROM trellis.search_readers WHERE record_id = $1', [
    decodeId('kf', edited.id),
  ]);
  assert.equal(rows.length, 0);
});
