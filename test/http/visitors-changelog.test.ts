/** Tests of the changelog of the visitor lookup: any change of its schemas without an entry is detected. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  findSilentChange,
  shapeOf,
  visitorLookupChanges,
} from '@trellis/server/features/visitors/http/changelog.ts';
import { visitorLookupSchemas } from '@trellis/server/features/visitors/http/schemas.ts';
import { type Json, startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.close());

test('the server returns the changelog, newest change first, with the digest of the current schemas', async () => {
  const { status, text, headers } = await server.call('GET', '/v1/changelogs/visitor-lookup');
  assert.equal(status, 200);
  assert.equal(text, JSON.stringify({ changes: visitorLookupChanges }));
  const dates = visitorLookupChanges.map(({ date }) => date);
  assert.deepEqual(dates, [...dates].sort().reverse());
  assert.equal(visitorLookupChanges[0]?.shape, shapeOf(visitorLookupSchemas));
  assert.equal(findSilentChange(visitorLookupSchemas, visitorLookupChanges), null);
  const again = await server.call('GET', '/v1/changelogs/visitor-lookup', {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  });
  assert.equal(again.status, 304);
});

const changes: Readonly<Record<string, (schemas: Json) => void>> = {
  'a new member': ({ visitor }) => {
    visitor.properties.note = { type: 'string' };
  },
  'a member less': ({ visitor }) => {
    delete visitor.properties.firstSeenAt;
  },
  'a member called like a remark': ({ visitor }) => {
    visitor.properties.description = { type: 'string' };
  },
  'another type': ({ visitor }) => {
    visitor.properties.confidence.properties.score.type = 'string';
  },
  'a value more': ({ visitor }) => {
    visitor.properties.device.properties.type.enum.push('watch');
  },
  'another bound': ({ identifyBody }) => {
    identifyBody.properties.signals.properties.screenWidth.maximum = 1;
  },
  'a signal more': ({ identifyBody }) => {
    identifyBody.properties.signals.properties.battery = { type: 'number' };
  },
  'a response that need not have a token': ({ identification }) => {
    identification.required.pop();
  },
};

for (const [what, change] of Object.entries(changes)) {
  test(`${what} is detected until an entry describes it`, () => {
    const schemas: Json = JSON.parse(JSON.stringify(visitorLookupSchemas));
    change(schemas);
    assert.match(findSilentChange(schemas, visitorLookupChanges) ?? '', /^The shape .* has changed/);
    const [newest] = visitorLookupChanges;
    assert.ok(newest);
    const entry = { ...newest, shape: shapeOf(schemas) };
    assert.equal(findSilentChange(schemas, [entry, ...visitorLookupChanges]), null);
  });
}

test('texts and examples do not change the digest', () => {
  const schemas: Json = JSON.parse(JSON.stringify(visitorLookupSchemas));
  schemas.visitor.description = 'Otherwise said.';
  schemas.visitor.properties.visitorId.examples = ['vis_01h455vb4pex5vsknk084sn02r'];
  assert.equal(findSilentChange(schemas, visitorLookupChanges), null);
  assert.match(
    findSilentChange(schemas, [...visitorLookupChanges, ...visitorLookupChanges]) ?? '',
    /same shape/,
  );
});
