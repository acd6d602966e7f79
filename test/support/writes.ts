/** Calls for tests of resources that return the response of a write together with its events. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { resources } from '@trellis/schema/resources/index.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import type { CallOptions, Json, TestResponse, TestServer } from './server.ts';

/** An event of a write. */
interface WrittenEvent {
  readonly type: string;
  /** The record's id in the form of the API. */
  readonly subject: string;
  readonly version: number;
  readonly changedFields: readonly string[];
}

export interface Written extends TestResponse {
  /** The events of this request, in order. */
  readonly events: readonly WrittenEvent[];
}

/** A value of a field as sent and as stored. */
export type Kept = readonly [sent: unknown, kept: unknown];

/** Sends a write and reads the events that it caused. */
export async function write(
  server: TestServer,
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  options: CallOptions = {},
): Promise<Written> {
  const requestId = randomUUID();
  const headers = { ...options.headers, 'x-request-id': requestId };
  const response = await server.call(method, path, { ...options, headers });
  return { ...response, events: await eventsOf(server, requestId) };
}

/** Sends a write that must succeed, and reads its events. */
export async function succeed(
  server: TestServer,
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<Written> {
  const written = await write(server, method, path, body === undefined ? {} : { body });
  const status = { POST: 201, PATCH: 200, DELETE: 204 }[method];
  assert.equal(written.status, status, `${method} ${path} ${JSON.stringify(body)}: ${written.text}`);
  return written;
}

/** Creates a record, and expects exactly one event. */
export async function create(server: TestServer, collection: string, body: object): Promise<Json> {
  const { json, events } = await succeed(server, 'POST', collection, body);
  assert.equal(events.length, 1);
  assert.match(events[0]?.type ?? '', /\.created$/);
  assert.equal(events[0]?.subject, json.id);
  assert.equal(events[0]?.version, 1);
  return json;
}

/** Expects a refusal without changes and events, with faults at exactly these pointers. */
export function expectRefusal(
  response: Written,
  status: number,
  code: string,
  pointers?: readonly string[],
): void {
  assert.equal(response.status, status, response.text);
  assert.equal(response.json.code, code, response.text);
  assert.deepEqual(response.events, []);
  if (pointers === undefined) return;
  const found: string[] = response.json.errors.map(({ pointer }: Json) => pointer);
  assert.deepEqual([...new Set(found)].sort(), [...pointers].sort(), response.text);
}

/** Types of the events, in order. */
export function typesOf({ events }: Written): string[] {
  return events.map(({ type }) => type);
}

/**
 * Tries values on one record. A valid value is stored in the given form, with a new version and one event if it differs
 * from the present one. An invalid value is refused with a pointer at or below the field, without a change.
 */
export async function tryValues(
  server: TestServer,
  path: string,
  field: string,
  right: readonly Kept[],
  wrong: readonly unknown[],
): Promise<void> {
  for (const [sent, kept] of right) {
    const before = await server.call('GET', path);
    const after = await succeed(server, 'PATCH', path, { [field]: sent });
    const label = `${field}: ${JSON.stringify(sent)}`;
    assert.deepEqual(after.json[field], kept, label);
    const changed = JSON.stringify(before.json[field]) !== JSON.stringify(kept);
    assert.equal(after.json.version, before.json.version + Number(changed), label);
    assert.equal(after.events.length, Number(changed), label);
    if (changed) {
      assert.match(after.events[0]?.type ?? '', /\.updated$/);
      assert.ok(after.events[0]?.changedFields.includes(field), label);
    }
    assert.deepEqual((await server.call('GET', path)).json, after.json, label);
  }
  const before = await server.call('GET', path);
  for (const sent of wrong) {
    const refused = await write(server, 'PATCH', path, { body: { [field]: sent } });
    const label = `${field}: ${JSON.stringify(sent)}: ${refused.text}`;
    assert.equal(refused.status, 422, label);
    assert.deepEqual(refused.events, [], label);
    for (const { pointer } of refused.json.errors)
      assert.ok(pointer === `/${field}` || pointer.startsWith(`/${field}/`), label);
  }
  assert.deepEqual((await server.call('GET', path)).json, before.json, field);
}

/** The ids in a list or search, in order. */
export async function idsOf(server: TestServer, path: string, token?: string): Promise<string[]> {
  const response = await server.call('GET', path, token === undefined ? {} : { token });
  assert.equal(response.status, 200, `${path}: ${response.text}`);
  return response.json.items.map(({ id }: Json) => id);
}

/** The ids of all pages of a list. */
export async function walk(server: TestServer, path: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: TestResponse = await server.call('GET', cursor === null ? path : `${path}&cursor=${cursor}`);
    assert.equal(page.status, 200, page.text);
    ids.push(...page.json.items.map(({ id }: Json) => id));
    cursor = page.json.pageInfo.nextCursor;
  } while (cursor !== null);
  return ids;
}

/** The events of a request: in the outbox, or in the log where a relay is at work, which moves them in one transaction. */
async function eventsOf(server: TestServer, requestId: string): Promise<WrittenEvent[]> {
  const columns = 'id, type, subject_type, subject_id, subject_version, array_to_json(changed_fields)';
  const rows = await server.database.worker.run(
    `SELECT ${columns} FROM trellis.outbox WHERE request_id = $1
     UNION ALL SELECT ${columns} FROM trellis.events WHERE request_id = $1 ORDER BY id`,
    [requestId],
  );
  return rows.map(([, type, subjectType, subjectId, version, changedFields]) => {
    const resource = resources.find(({ singular }) => singular === subjectType);
    assert.ok(resource, `no resource is named ${subjectType}`);
    return {
      type: type ?? '',
      subject: encodeId(resource.idPrefix, subjectId ?? ''),
      version: Number(version),
      changedFields: JSON.parse(changedFields ?? '[]'),
    };
  });
}
