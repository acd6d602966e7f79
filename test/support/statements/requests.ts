/**
 * Requests that have the server build the statements that depend on a request: each operation, and each list with each of its sorts, with
 * all of its filters, and with a search. Import it after the hook of `declared.ts`.
 */
import assert from 'node:assert/strict';
import { limits } from '@trellis/schema/resources/limits.ts';
import { createModels } from '@trellis/server/features.ts';
import type { Operation } from '@trellis/server/kernel/http/operation.ts';
import type { Model } from '@trellis/server/kernel/pipeline/model.ts';
import { removeOrphanedEntries } from '@trellis/server/kernel/pipeline/search/entries.ts';
import { sideTablesOf } from '@trellis/server/kernel/pipeline/side-tables.ts';
import { findUniqueConflict } from '@trellis/server/kernel/pipeline/write/unique-conflicts.ts';
import { usageSteps } from '@trellis/server/kernel/pipeline/write/usage.ts';
import { attempt, createOwnWorld, freshIds, operationsFor, requiredQuery } from '../fixtures.ts';
import type { TestServer } from '../server.ts';

/** Sends the requests, each of which must be understood: one that is refused early would build no statement. */
export async function sendRequests(server: TestServer): Promise<void> {
  const world = await createOwnWorld(server);
  for (const operation of operationsFor(world)) {
    const response = await attempt(world, operation, { ids: await freshIds(world, operation) });
    assert.equal(response.status, operation.success.status, `${operation.operationId}: ${response.text}`);
    if (operation.method !== 'GET') continue;
    for (const query of queriesOf(operation)) {
      const { status, text } = await attempt(world, operation, { query });
      // What is read as published may not be.
      assert.ok(status === 200 || status === 404, `${operation.operationId}${query}: ${text}`);
    }
  }
}

/** As many filters as a request may have beside its other parameters. */
const mostFilters = limits.queryParameters - 5;

/** Query strings with all parameters of an operation: each sort in each perspective, many filters at once, with and without a search. */
function queriesOf(operation: Operation): string[] {
  const examples = new Map(operation.queryParameters.map(({ name, example }) => [name, String(example)]));
  for (const name of ['cursor', 'limit', 'sort', 'search', 'perspective']) examples.delete(name);
  const includable = operation.queryParameters.find(({ name }) => name === 'include')?.schema.items?.enum;
  if (includable !== undefined) examples.set('include', includable.join());
  const all = [...examples];
  const parts = Array.from({ length: Math.ceil(all.length / mostFilters) }, (_, part) =>
    Object.fromEntries(all.slice(part * mostFilters, (part + 1) * mostFilters)),
  );
  const valuesOf = (name: string) => {
    const values = operation.queryParameters.find((parameter) => parameter.name === name)?.schema.enum;
    return (values ?? []).map((value) => ({ [name]: String(value) }));
  };
  const perspectives = valuesOf('perspective');
  const sorts = valuesOf('sort').flatMap((sort) => [
    sort,
    ...perspectives.map((shown) => ({ ...sort, ...shown })),
  ]);
  const chosen = [
    {},
    ...[{}, ...perspectives].flatMap((shown) => parts.map((filters) => ({ ...filters, ...shown }))),
  ];
  const isSearched = operation.queryParameters.some(({ name }) => name === 'search');
  const searched = isSearched ? chosen.map((one) => ({ ...one, search: 'release' })) : [];
  return [...sorts, ...chosen, ...searched].map((query) => requiredQuery(operation, query));
}

/** Has statements built that only refused requests and the indexer send, for each resource. */
export function buildRareStatements(): void {
  const id = '01890000-0000-7000-8000-000000000001';
  for (const model of createModels().values()) {
    removeOrphanedEntries(model, id, id);
    usageSteps(model.resource, id, { id, parentId: id });
    for (const constraint of constraintsOf(model))
      assert.notEqual(
        findUniqueConflict(model, { organizationId: id, userId: null, parentId: id, id }, {}, constraint),
        null,
      );
  }
}

function constraintsOf({ resource }: Model): string[] {
  const ofTables = sideTablesOf(resource).flatMap(({ unique }) => unique?.constraint ?? []);
  return [...Object.values(resource.unique), ...Object.keys(resource.uniqueTogether ?? {}), ...ofTables];
}
