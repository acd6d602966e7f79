/**
 * Runs a sequence: sends its commands to the real server one after the other, and compares every response with the model.
 * The calls are recorded as a readable transcript for when the two differ.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { runIndexJobs } from '../support/indexing.ts';
import type { TestResponse, TestServer } from '../support/server.ts';
import { Conversation, expectEqual } from './conversation.ts';
import { findDenial } from './decision.ts';
import { fileQueries, isFile, isVisible, witnessOf } from './files.ts';
import { compareHistory } from './history.ts';
import { drawList, expectedList, type ListRequest } from './lists.ts';
import type { Organization, User } from './organizations.ts';
import {
  absentId,
  type Intent,
  makeBody,
  makeSameBody,
  makeTransition,
  makeWrongBody,
  pathOf,
  requestChange,
  requestCreate,
  requestPatch,
  resourceOf,
  type Scene,
  targetOf,
  userOf,
  type WriteRequest,
} from './requests.ts';
import { chosen, drawFrom } from './samples.ts';
import { compareHits } from './search.ts';
import {
  collectionPath,
  emptyState,
  type Fields,
  type ModelRecord,
  recordsOf,
  render,
  type State,
  type StoredResponse,
} from './state.ts';
import { applyChange, findRecord, fingerprintOf, judge, responseKey, settle } from './verdict.ts';

/** A run of one sequence against the server. */
export class Sequence {
  readonly states: readonly [State, State];
  /** The requests and responses. */
  readonly conversation: Conversation;
  private readonly server: TestServer;
  private readonly theme: readonly Resource[];
  private readonly requests: { readonly request: WriteRequest; readonly state: State }[] = [];

  constructor(server: TestServer, pair: readonly [Organization, Organization], theme: readonly Resource[]) {
    this.server = server;
    this.conversation = new Conversation(server, pair);
    this.theme = theme;
    this.states = [emptyState(pair[0]), emptyState(pair[1])];
  }

  /** Sends one command and compares. @throws AssertionError where server and model differ */
  async run(intent: Intent): Promise<void> {
    const draw = drawFrom(intent.option);
    const [first, second] = this.states;
    const [state, other] = draw(6) === 5 ? [second, first] : [first, second];
    const scene: Scene = { state, other, theme: this.theme };
    const resource = resourceOf(scene, intent);
    const key = randomUUID();
    const isEmpty = recordsOf(state, resource.name).length === 0 && draw(12) < 11;
    switch (isEmpty && intent.kind !== 'list' && intent.kind !== 'again' ? 'create' : intent.kind) {
      case 'create':
        return this.write(scene, requestCreate(scene, resource, intent, key));
      case 'patch':
        return this.write(
          scene,
          requestChange(scene, resource, intent, key, (record, parentId) =>
            makeBody(scene, resource, parentId, intent, record),
          ),
        );
      case 'move':
        return this.write(
          scene,
          requestChange(scene, resource, intent, key, (record, parentId, roll) =>
            makeTransition(scene, resource, intent, record, parentId, roll),
          ),
        );
      case 'transition':
        // Several transitions of one record.
        for (const more of [1, 2, 3])
          await this.run({ ...intent, kind: 'move', option: intent.option * more });
        return;
      case 'publishIssue':
        return this.publishIssue(scene, intent);
      case 'same':
        return this.write(
          scene,
          requestChange(scene, resource, intent, key, (record) => makeSameBody(resource, intent, record)),
        );
      case 'wrong':
        return this.write(
          scene,
          requestChange(scene, resource, intent, key, (_record, _parentId, roll) =>
            makeWrongBody(resource, roll),
          ),
        );
      case 'delete':
        return this.write(
          scene,
          requestChange(scene, resource, intent, key, () => null),
        );
      case 'read':
        return this.read(scene, resource, intent);
      case 'list':
        return this.list(scene, resource, intent);
      case 'again':
        return this.again(scene, intent);
      case 'search':
        return this.search(scene, intent);
      case 'relocate':
        return this.relocate(scene, intent);
    }
  }

  /** Compares everything with the model: every record, every list, every event. */
  async compareAll(): Promise<void> {
    for (const state of this.states) {
      const [owner] = state.organization.users;
      assert.ok(owner);
      for (const resource of this.theme) {
        const parents =
          resource.parent === null ? [null] : recordsOf(state, resource.parent.resource).map(({ id }) => id);
        for (const parentId of parents) {
          const query = { sort: null, filters: {}, search: null, limit: 100 };
          await this.walk(state, owner, resource, parentId, query);
          if (isFile(resource)) await this.compareFiles(state, resource, query);
        }
      }
      await Promise.all([...state.records.values()].map((record) => this.compareRecord(state, record)));
    }
  }

  /** Compares the files that each member sees: one member lists them, the next one searches. */
  private async compareFiles(state: State, resource: Resource, query: ListRequest): Promise<void> {
    if (recordsOf(state, resource.name).length === 0) return;
    const rose = ['rose', false] as const;
    // Doing both as every member would take a third of the whole time.
    for (const [index, user] of state.organization.users.entries()) {
      const lists = (index + (state === this.states[0] ? 0 : 1)) % 2 === 1;
      if (lists) await this.walk(state, user, resource, null, query);
      else await compareHits(this.conversation, state, user, rose, query.limit);
    }
  }

  private async compareRecord(state: State, record: ModelRecord): Promise<void> {
    const path = pathOf(record);
    const owner = witnessOf(state, record);
    const excluded = state.organization.users.find((user) => !isVisible(user, record));
    if (excluded !== undefined) {
      const refused = await this.conversation.send(excluded, 'GET', path);
      this.conversation.expectRefusal(refused, [{ status: 404, code: 'not_found' }]);
    }
    const response = await this.conversation.send(owner, 'GET', path);
    expectEqual(response.status, 200, 'status');
    expectEqual(response.headers.get('etag'), `"${record.version}"`, 'ETag');
    expectEqual(response.json, render(record), 'record');
    for (const user of state.organization.users.filter((each) => isVisible(each, record)))
      if (findDenial(user, record.resource, 'read') === null)
        await compareHistory(this.conversation, state, user, record);
    if (record.resource.versions === undefined) return;
    const number = record.fields.publishedVersionNumber;
    const published = await this.conversation.send(owner, 'GET', `${path}?perspective=published`);
    expectEqual(published.status, number === null ? 404 : 200, 'status of the published version');
    const working = Number(record.fields['versionData.versionNumber']);
    const earlier = typeof number === 'number' && number !== working ? record.versions.get(number) : {};
    // Changes of a draft are not visible, except in the version of the record.
    const seen = { state: 'PUBLISHED', scheduleError: null };
    const shown = { ...record, fields: { ...record.fields, ...earlier, ...seen } };
    if (number !== null) {
      const { updatedAt, updatedBy } = published.json;
      expectEqual(published.json, { ...render(shown), updatedAt, updatedBy }, 'published version');
      expectEqual(updatedAt <= record.updatedAt, true, 'when readers last saw a change');
    }
    const versions = await this.conversation.send(owner, 'GET', `${path}/versions?limit=100`);
    const numbers = Array.from({ length: working }, (_, index) => working - index);
    expectEqual(
      versions.json.items.map((item: { versionData: { versionNumber: number; status: string } }) => [
        item.versionData.versionNumber,
        item.versionData.status,
      ]),
      numbers.map((each) => [each, (record.versions.get(each) ?? record.fields)['versionData.status']]),
      'versions',
    );
  }

  private async write(scene: Scene, request: WriteRequest): Promise<void> {
    const { state } = scene;
    const verdict = judge(state, request);
    this.requests.push({ request, state });
    const { user, method, body, ifMatch, minimal, key } = request;
    const response = await this.conversation.send(user, method, pathOf(request), {
      body: body?.sent,
      ifMatch,
      minimal,
      key,
    });
    if (verdict.kind === 'refused') return this.conversation.expectRefusal(response, verdict.refusals);
    if (verdict.kind === 'replayed') return this.conversation.expectReplay(response, verdict.response);
    const { changes, before } = verdict;
    const main = changes.at(-1);
    const isCreate = method === 'POST';
    const status = isCreate ? 201 : method === 'DELETE' || minimal ? 204 : 200;
    expectEqual(response.status, status, `status, with ${response.text}`);
    expectEqual(response.headers.get('idempotent-replayed'), null, 'Idempotent-Replayed');
    // Changes of other records are not in the response, so they are read.
    for (const change of changes.slice(0, -1)) {
      const returned = change.after === null ? undefined : await this.readRecord(state, change.after);
      this.settleAndCompare(state, user, change, returned);
    }
    if (method !== 'DELETE') {
      expectEqual(response.headers.get('etag'), `"${main?.after?.version ?? before?.version}"`, 'ETag');
      const location = response.headers.get('location');
      const id = isCreate ? (location?.split('/').at(-1) ?? '') : (before?.id ?? '');
      const path = pathOf({ ...request, id });
      expectEqual(location, isCreate || minimal ? path : null, 'Location');
      expectEqual(response.text === '', minimal, 'emptiness of the body');
      const subject = main?.after ?? before;
      assert.ok(subject);
      // The writer may no longer be allowed to see it.
      const witness = witnessOf(state, subject);
      const returned = minimal ? (await this.conversation.send(witness, 'GET', path)).json : response.json;
      if (isCreate) {
        expectEqual(returned.id, id, 'id');
        expectEqual(
          id.startsWith(`${request.resource.idPrefix}_`) && !state.records.has(id),
          true,
          'a new id',
        );
      }
      if (main !== undefined) this.settleAndCompare(state, user, main, returned);
      else if (before !== null) expectEqual(returned, render(before), 'unchanged record');
    } else if (main !== undefined) {
      applyChange(state, main, user.id);
    }
    state.responses.set(responseKey(request), storedFrom(request, response));
  }

  /** Compares the result of a change, and stores it in the model with the values that only the server knows. */
  private settleAndCompare(
    state: State,
    user: User,
    change: Parameters<typeof applyChange>[1],
    returned: { id: string; createdAt: string; updatedAt: string } | undefined,
  ): void {
    const { before, after } = change;
    if (after === null || returned === undefined) {
      applyChange(state, change, user.id);
      return;
    }
    const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
    const { updatedAt } = returned;
    const createdAt = before?.createdAt ?? updatedAt;
    expectEqual(
      instant.test(updatedAt) && updatedAt >= (before?.updatedAt ?? ''),
      true,
      `an instant: ${updatedAt}`,
    );
    const settled = settle(after, { id: returned.id, createdAt, updatedAt });
    expectEqual(returned, render(settled), 'record');
    applyChange(state, { ...change, after: settled }, user.id);
  }

  private async again(scene: Scene, intent: Intent): Promise<void> {
    const draw = drawFrom(intent.option);
    const earlier = this.requests.at(-1 - (intent.target % Math.max(1, this.requests.length)));
    if (earlier === undefined) return;
    const { request, state } = earlier;
    const own = { ...scene, state };
    switch (draw(4)) {
      case 0:
      case 1:
        return this.write(own, request);
      case 2:
        return this.write(own, { ...request, user: userOf(own, intent) });
      default: {
        if (request.body === null)
          return this.write(own, { ...request, ifMatch: request.ifMatch === null ? '*' : null });
        const record = request.id === null ? null : state.records.get(request.id);
        const body = makeBody(own, request.resource, request.parentId, intent, record);
        return this.write(own, { ...request, body });
      }
    }
  }

  /** Publishes an issue with articles, most of them approved; random commands would rarely do these steps in order. */
  private async publishIssue(scene: Scene, intent: Intent): Promise<void> {
    const { state } = scene;
    const draw = drawFrom(intent.option);
    const articles = recordsOf(state, 'articles').slice(0, 1 + draw(3));
    const issue = recordsOf(state, 'issues').find(({ fields }) => fields.status !== 'ARCHIVED');
    if (issue === undefined || articles.length === 0) return this.run({ ...intent, kind: 'transition' });
    const patch = async (user: User, record: ModelRecord, given: Fields) => {
      const current = state.records.get(record.id);
      if (current !== undefined) await this.write(scene, requestPatch(user, current, given, randomUUID()));
    };
    for (const article of articles) {
      if (article.fields['versionData.status'] !== 'DRAFT' || draw(6) === 5) continue;
      await patch(this.ownerOf(state), article, { 'versionData.status': 'IN_REVIEW' });
      await patch(this.ownerOf(state), article, { 'versionData.status': 'APPROVED' });
    }
    const contents = articles.map(({ id }) => ({ articleId: id }));
    await patch(this.ownerOf(state), issue, { contents, status: 'IN_PRODUCTION' });
    await patch(userOf(scene, intent), issue, { status: 'PUBLISHED' });
  }

  private async read({ state, other, theme }: Scene, resource: Resource, intent: Intent): Promise<void> {
    const draw = drawFrom(intent.option);
    const scene = { state, other, theme };
    const target = targetOf(scene, resource, intent, draw);
    const user = userOf(scene, intent);
    const response = await this.conversation.send(user, 'GET', pathOf({ resource, ...target }));
    const denied = findDenial(user, resource, 'read');
    if (denied !== null) return this.conversation.expectRefusal(response, [denied]);
    const record = findRecord(state, user, { resource, ...target });
    if (record === undefined)
      return this.conversation.expectRefusal(response, [{ status: 404, code: 'not_found' }]);
    expectEqual(response.status, 200, 'status');
    expectEqual(response.json, render(record), 'record');
  }

  private async list(scene: Scene, resource: Resource, intent: Intent): Promise<void> {
    const { state, other } = scene;
    const draw = drawFrom(intent.option);
    const user = userOf(scene, intent);
    let parentId: string | null = null;
    if (resource.parent !== null) {
      const rare = draw(12);
      const parents = recordsOf(rare === 11 ? other : state, resource.parent.resource);
      const parent = parents.at(-1 - (intent.target % Math.max(1, parents.length)));
      parentId = parent === undefined || rare === 10 ? absentId(resource.parent.resource) : parent.id;
    }
    const denied = findDenial(user, resource, 'read');
    const query = drawList(resource, recordsOf(state, resource.name, parentId), draw);
    if (denied === null && (parentId === null || state.records.has(parentId)))
      return this.walk(state, user, resource, parentId, query);
    const response = await this.conversation.send(user, 'GET', collectionPath(resource, parentId));
    this.conversation.expectRefusal(response, [denied ?? { status: 404, code: 'not_found' }]);
  }

  /** Reads a list from the first page to the last. */
  private async walk(
    state: State,
    user: User,
    resource: Resource,
    parentId: string | null,
    query: ListRequest,
  ): Promise<void> {
    const expected = expectedList(state, user, resource, parentId, query);
    const { sort, filters, search, limit } = query;
    const parameters = new URLSearchParams({ limit: String(limit) });
    for (const [name, given] of Object.entries(filters))
      for (const one of given) parameters.append(name, one);
    if (sort !== null) parameters.set('sort', sort);
    if (search !== null) {
      parameters.set('search', search);
      await runIndexJobs(this.server.database);
    }
    for (let start = 0; ; start += limit) {
      const response = await this.conversation.send(
        user,
        'GET',
        `${collectionPath(resource, parentId)}?${parameters}`,
      );
      expectEqual(response.status, 200, `status, with ${response.text}`);
      const page = expected.slice(start, start + limit);
      expectEqual(idsOf(response.json.items), idsOf(page), 'ids of the page');
      expectEqual(response.json.items, page.map(render), 'page');
      const { nextCursor, hasNextPage } = response.json.pageInfo;
      const isLast = expected.length <= start + limit;
      expectEqual([nextCursor === null, hasNextPage], [isLast, !isLast], 'end of the list');
      if (isLast) return;
      parameters.set('cursor', nextCursor);
    }
  }

  /** Searches files; other resources are searched by their lists alone. */
  private async search(scene: Scene, intent: Intent): Promise<void> {
    if (!scene.theme.some(isFile)) return this.run({ ...intent, kind: 'list' });
    const draw = drawFrom(intent.option);
    const query = chosen(fileQueries, draw);
    return compareHits(this.conversation, scene.state, userOf(scene, intent), query, 1 + draw(4));
  }

  /** Changes the organization's country, as its operator would: stored phone numbers stay the same. */
  private async relocate(scene: Scene, intent: Intent): Promise<void> {
    if (!scene.theme.some(({ module }) => module === 'crm')) return this.run({ ...intent, kind: 'search' });
    const { state } = scene;
    const record = [...recordsOf(state, 'contacts'), ...recordsOf(state, 'companies')].at(-1);
    const patch = async (given: Fields) => {
      const current = state.records.get(record?.id ?? '');
      if (current === undefined) return;
      await this.write(scene, requestPatch(this.ownerOf(state), current, given, randomUUID()));
    };
    await patch({ phones: [{ number: '030 / 123 45 67' }] });
    // Only Germany and none: in a third country the German numbers would be read differently.
    state.country = state.country === null ? 'DE' : null;
    this.conversation.note(
      `${state.organization.name} organization: now in ${state.country ?? 'no country'}`,
    );
    await this.server.database.worker.run(
      "UPDATE trellis.organizations SET default_country = nullif($2, '') WHERE id = $1",
      [state.organization.uuid, state.country ?? ''],
    );
    await patch({ tags: ['moved'] });
  }

  private async readRecord(state: State, record: ModelRecord) {
    const response = await this.conversation.send(this.ownerOf(state), 'GET', pathOf(record));
    expectEqual(response.status, 200, 'status of a record that was changed along');
    return response.json;
  }

  private ownerOf(state: State): User {
    const [owner] = state.organization.users;
    assert.ok(owner);
    return owner;
  }
}

function storedFrom(request: WriteRequest, response: TestResponse): StoredResponse {
  return {
    fingerprint: fingerprintOf(request),
    status: response.status,
    text: response.text,
    etag: response.headers.get('etag'),
    location: response.headers.get('location'),
    shown: response.text === '' ? null : response.json.id,
  };
}

function idsOf(records: readonly { readonly id: string }[]): string[] {
  return records.map(({ id }) => id);
}
