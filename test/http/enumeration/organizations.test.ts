/**
 * Tests of the separation of organizations: each id in every request is replaced by one of another organization, and
 * the response must be the same as for an id that does not exist.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { filtersOf } from '@trellis/schema/resources/filters.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import { findPlace } from '@trellis/schema/resources/places.ts';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import type { Operation } from '@trellis/server/kernel/http/operation.ts';
import {
  type Attempted,
  absentId,
  attempt,
  bodyWith,
  createOtherWorld,
  createOwnWorld,
  createRecord,
  createWorld,
  essence,
  freshIds,
  type Ids,
  ownParameter,
  pointerOf,
  type ReferencePlace,
  referencePlaces,
  requiredQuery,
  resourceOf,
  type World,
} from '../../support/fixtures.ts';
import { changesNothing, expectProblem, isSuccess } from '../../support/refusals.ts';
import { startTestServer } from '../../support/server.ts';
import { TenantTables } from '../../support/tenant-tables.ts';

/** Resources that fields refer to and that no operation can create yet; this list may only shrink. */
const notYetKept = ['knowledge-files'];

const server = await startTestServer();
const tables = await TenantTables.open(server.database);
const world = await createOwnWorld(server);
/** The same organization, other parents. */
const sibling = await createWorld(server, { ...server, userId: server.ownerId });
const foreign = await createOtherWorld(server);
after(async () => {
  await tables.close();
  await server.close();
});

/** Ids that name nothing for a caller of `world`, with descriptions. */
function unusableIds(resource: string): { kind: string; id: string }[] {
  const known = foreign.ids.get(resource) ?? 'kf_01h455vb4pex5vsknk084sn02r';
  return [
    { kind: 'absent', id: absentId(known) },
    { kind: 'foreign', id: known },
    { kind: 'of another type', id: `zzz_${known.slice(known.lastIndexOf('_') + 1)}` },
    { kind: 'upper case', id: known.toUpperCase() },
    { kind: 'no id', id: 'x' },
  ];
}

function withId(ids: Ids, resource: string, id: string): Ids {
  return new Map([...ids, [resource, id]]);
}

/** Expects one and the same response to all. */
function expectAlike(responses: readonly { kind: string; response: Attempted }[]): void {
  const [first, ...others] = responses;
  assert.ok(first);
  for (const { kind, response } of others) {
    assert.deepEqual(essence(response), essence(first.response), `${kind} is told from ${first.kind}`);
  }
}

for (const operation of server.server.operations) {
  const { operationId } = operation;
  const idParameters = operation.pathParameters.flatMap(({ resource }) =>
    resource === null ? [] : [resource],
  );

  for (const resource of idParameters) {
    test(`${operationId}: a foreign ${resource} id in the path is like an absent one`, () =>
      changesNothing(tables, async () => {
        for (const base of [world.ids, foreign.ids]) {
          const responses = [];
          for (const { kind, id } of unusableIds(resource)) {
            const response = await attempt(world, operation, { ids: withId(base, resource, id) });
            expectProblem(response, 404, 'not_found', kind);
            responses.push({ kind, response });
          }
          expectAlike(responses);
        }
        // Also when more is wrong with the request than the id.
        if (operation.body === null) return;
        const responses = [];
        for (const { kind, id } of unusableIds(resource)) {
          const ids = withId(world.ids, resource, id);
          responses.push({ kind, response: await attempt(world, operation, { ids, body: { nonsense: 1 } }) });
        }
        expectAlike(responses);
      }));
  }

  if (idParameters.length > 1) {
    test(`${operationId}: a record is not found below another parent`, () =>
      changesNothing(tables, async () => {
        const own = idParameters.at(-1);
        assert.ok(own);
        const ids = withId(sibling.ids, own, world.ids.get(own) ?? '');
        expectProblem(await attempt(world, operation, { ids }), 404, 'not_found');
      }));
  }

  for (const place of referencePlaces(operation)) {
    test(`${operationId}: ${pointerOf(place.path)} refuses ids of records that are not visible`, async () => {
      const responses: { kind: string; response: Attempted }[] = [];
      const ids = await freshIds(world, operation);
      await changesNothing(tables, async () => {
        const unusable = unusableIds(place.resource);
        if (place.sameParent) {
          unusable.push({ kind: 'of another parent', id: sibling.ids.get(place.resource) ?? '' });
        }
        for (const { kind, id } of unusable) {
          const response = await attempt(world, operation, {
            ids,
            body: bodyWith(operation, ids, place.path, id),
          });
          expectProblem(response, 422, 'reference_not_found', kind);
          const [fault, ...others] = response.json.errors;
          assert.equal(fault.pointer, pointerOf(place.path), kind);
          assert.equal(fault.code, 'reference_not_found', kind);
          assert.equal(others.length, 0, response.text);
          responses.push({ kind, response });
        }
      });
      expectAlike(responses);
      const good = world.ids.get(place.resource);
      if (good === undefined) {
        assert.ok(notYetKept.includes(place.resource), `the test has no ${place.resource}`);
        return;
      }
      const accepted = await attempt(world, operation, {
        ids,
        body: bodyWith(operation, ids, place.path, good),
      });
      assert.notEqual(accepted.json.code, 'reference_not_found', accepted.text);
    });
  }

  for (const { name, field } of referenceFilters(operation)) {
    test(`${operationId}: the filter ${name} finds nothing foreign`, async () => {
      const resource = resourceOf(operation)?.name ?? '';
      // Records of what has no create, such as members, are changed instead.
      const setting = findSharedOperation(resource, 'create') ?? findSharedOperation(resource, 'update');
      const place = setting === undefined ? undefined : placeOfField(setting, field);
      const made = new Map<string, string>();
      for (const here of [world, foreign]) {
        const id = here.ids.get(place?.resource ?? 'users') ?? '';
        if (setting === undefined || place === undefined) {
          // What no body sets is who created the record.
          assert.equal(findPlace(resourceByName(resource), field)?.field.readOnly, true);
          made.set(id, here.ids.get(resource) ?? '');
        } else {
          const body = bodyWith(setting, here.ids, place.path, id);
          made.set(id, await setField(here, setting, resource, body));
        }
      }
      const list = (id: string) =>
        attempt(world, operation, { query: requiredQuery(operation, { [name]: id }) });
      const own = world.ids.get(place?.resource ?? 'users') ?? '';
      const found = await list(own);
      const isCount = operation.success.schemaName === 'Counts';
      assert.ok(
        found.json.items.some((item: { id?: string; count?: number }) =>
          isCount ? item.count !== 0 : item.id === made.get(own),
        ),
        `${name} does not find what it should: ${found.text}`,
      );
      for (const { kind, id } of unusableIds(place?.resource ?? 'users')) {
        const response = await list(id);
        assert.ok(isSuccess(response), `${kind}: ${response.text}`);
        const { items, ...rest } = response.json;
        assert.deepEqual(
          isCount ? items.filter((item: { count: number }) => item.count > 0) : items,
          [],
          kind,
        );
        assert.deepEqual(rest, isCount ? {} : { pageInfo: { nextCursor: null, hasNextPage: false } }, kind);
      }
    });
  }
}

function findSharedOperation(resource: string, action: 'create' | 'update'): Operation | undefined {
  return server.server.operations.find(
    ({ requirement: { permission }, method }) =>
      permission?.action === action && permission.resource === resource && ['POST', 'PATCH'].includes(method),
  );
}

/** Creates a record with a body, or changes a new one by it. @returns its id */
async function setField(here: World, setting: Operation, resource: string, body: unknown): Promise<string> {
  if (setting.method === 'POST') return createRecord(here, resource, { body });
  const ids = await freshIds(here, setting);
  const changed = await attempt(here, setting, { ids, body });
  assert.ok(isSuccess(changed), changed.text);
  return ids.get(resource) ?? '';
}

function referenceFilters(operation: Operation): { name: string; field: string }[] {
  const resource = resourceOf(operation);
  const filters = resource === undefined ? {} : filtersOf(resource);
  return operation.queryParameters.flatMap(({ name }) => {
    const filter = filters[name];
    return filter?.kind === 'reference' ? [{ name, field: filter.field }] : [];
  });
}

function placeOfField(operation: Operation, field: string): ReferencePlace | undefined {
  return referencePlaces(operation).find(({ path }) => path.filter((key) => key !== '0').join('.') === field);
}

/** They have the same ids everywhere. */
const builtInRoles = Object.values(builtInRoleIds).map((uuid) => encodeId('role', uuid));

test('lists and searches show the records of one organization only', async () => {
  for (const operation of server.server.operations) {
    const isPage = operation.queryParameters.some(({ name }) => name === 'limit');
    if (!isPage) continue;
    // Both organizations have the same titles, so a search that finds one record would find the other.
    const query = requiredQuery(operation, { limit: '50' });
    const pages = [await attempt(world, operation, { query }), await attempt(foreign, operation, { query })];
    const [mine = [], theirs = []] = pages.map((page) => {
      assert.ok(isSuccess(page), page.text);
      // Of what waits there are several lists.
      const items = page.json.items ?? Object.values(page.json).flat();
      return items.map((item: { id?: string }) => item.id ?? JSON.stringify(item));
    });
    assert.equal(
      mine.some((id: string) => theirs.includes(id) && !builtInRoles.includes(id)),
      false,
      operation.operationId,
    );
  }
});

test('ids that the tests use as foreign name records of the other organization', async () => {
  for (const [resource, id] of foreign.ids) {
    if (resource === 'users') continue;
    if (resource === 'webhook-deliveries') {
      const list = server.server.operations.find(
        ({ operationId }) => operationId === 'listWebhookDeliveries',
      );
      assert.ok(list);
      assert.ok((await attempt(foreign, list)).json.items.some((one: { id: string }) => one.id === id));
      continue;
    }
    if (resource === 'trash') {
      const list = server.server.operations.find(({ operationId }) => operationId === 'listTrash');
      assert.ok(list);
      assert.ok((await attempt(foreign, list)).json.items.some((one: { id: string }) => one.id === id));
      continue;
    }
    const operation = server.server.operations.find(
      (candidate) =>
        candidate.method === 'GET' &&
        (resource === 'sessions' || candidate.requirement.permission?.resource === resource) &&
        // The organization itself has no id in its path.
        ((resource === 'organizations' && candidate.path === '/v1/organization') ||
          (ownParameter(candidate) === resource && candidate.path.endsWith('d}'))),
    );
    assert.ok(operation, resource);
    const response = await attempt(foreign, operation);
    assert.equal(response.json.id ?? response.json.visitorId, id);
  }
});
