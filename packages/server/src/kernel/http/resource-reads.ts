/** What the reads of a resource do: its list, its search and the read of one record. */

import { filtersOf } from '@trellis/schema/resources/filters.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { isRepeated } from '@trellis/schema/resources/places.ts';
import { type Resource, scopeOf } from '@trellis/schema/resources/resource.ts';
import { rightFor } from '@trellis/schema/rights/check-right.ts';
import { renderRecord, titleOf } from '@trellis/schema/validation/values.ts';
import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';
import { type Actor, findGrant } from '../identity/actor.ts';
import { entityTag } from '../pipeline/entity-tags.ts';
import { listRecords } from '../pipeline/list/list.ts';
import { type Model, modelOf } from '../pipeline/model.ts';
import { renderWithinBudget } from '../pipeline/page-budget.ts';
import { readRecord, readRow } from '../pipeline/read/read.ts';
import type { SearchHit } from '../pipeline/search/hits.ts';
import { searchRecords } from '../pipeline/search/search.ts';
import { type Target, versionOfRow } from '../pipeline/storage.ts';
import { nextCursorOf, respondWithItems, respondWithJson, respondWithPage } from './calls.ts';
import type { HttpContext } from './context.ts';
import {
  mentionedIn,
  mentionedInRow,
  readInclude,
  readIncluded,
  respondWithIncluded,
  withFieldsOf,
} from './include.ts';
import type { Call } from './operation.ts';
import type { Parameters } from './parameters.ts';
import { readSelection, writerOf } from './sparse.ts';

/** A page of a list. */
export async function readPage(
  context: HttpContext,
  model: Model,
  call: Call,
  place: Omit<Target, 'id'>,
  actor: Actor,
  parameters: Parameters,
) {
  const { resource } = model;
  const {
    limit,
    cursor,
    sort = '-createdAt',
    search: text,
    ids,
    fields,
    include,
    perspective = 'working',
    ...filters
  } = parameters;
  const chosen = ids?.split(',');
  const selection = readSelection(resource, fields);
  const includes = readInclude(resource, include);
  const shown = perspective === 'published' ? 'published' : 'working';
  const binding = {
    organizationId: place.organizationId,
    route: `${call.operation.operationId} ${call.path}`,
    query: { ...filters, sort, perspective, search: text ?? '', ids: ids ?? '' },
  };
  const page = await listRecords(context.database, model, {
    ...place,
    country: actor.country,
    filters,
    // An id of another form is that of no record.
    ids: chosen?.flatMap((id) => decodeId(resource.idPrefix, id) ?? []) ?? null,
    search: text ?? null,
    sort,
    after: cursor === undefined ? null : context.cursors.open(binding, cursor),
    limit: Number(limit ?? chosen?.length ?? pageSizeFor(resource, filters)),
    perspective: shown,
    width: selection?.width ?? 'full',
    fields: withFieldsOf(selection?.fields ?? null, includes),
  });
  if (page.rows.length === 0) await requireParent(context, resource, place);
  const write = writerOf(model, selection);
  const items = await renderWithinBudget(context.database, place.organizationId, page.rows, write);
  const keys = page.rows.map(([id]) => id ?? '');
  const included = await readIncluded(
    context,
    { ...place, actor, includes, perspective: shown, continues: cursor !== undefined },
    page.rows.slice(0, items.length).flatMap((row) => mentionedInRow(model, includes, row)),
  );
  return respondWithPage(call, items, keys, nextCursorOf(context, binding, page, items.length), included);
}

/** Records of a page without `limit`: as many as there are, if their keys are given. */
function pageSizeFor(resource: Resource, filters: Readonly<Record<string, string>>): number {
  const areGiven = Object.keys(filters).some((name) => {
    const filter = filtersOf(resource)[name];
    return filter !== undefined && isRepeated(filter);
  });
  return areGiven ? limits.listPageSize.max : limits.listPageSize.default;
}

/** One record. @throws Problem not_found */
export async function readOne(
  context: HttpContext,
  model: Model,
  call: Call,
  target: Target,
  actor: Actor,
  parameters: Parameters,
) {
  const selection = readSelection(model.resource, parameters.fields);
  const includes = readInclude(model.resource, parameters.include);
  const perspective = parameters.perspective === 'published' ? 'published' : 'working';
  const row = await readRow(context.database, model, target, perspective, selection?.width ?? 'full');
  const write = writerOf(model, selection);
  const included = await readIncluded(
    context,
    { ...target, actor, includes, perspective, continues: false },
    mentionedInRow(model, includes, row),
  );
  return included === null
    ? respondWithJson(call, entityTag(versionOfRow(row)), () => write(row))
    : respondWithIncluded(call, versionOfRow(row), write(row), included);
}

/** A page of a search. */
export async function searchPage(
  context: HttpContext,
  model: Model,
  call: Call,
  place: Omit<Target, 'id'>,
  actor: Actor,
  parameters: Parameters,
) {
  const { resource } = model;
  const { query = '', limit, cursor, perspective = 'working' } = parameters;
  const shown = perspective === 'published' ? 'published' : 'working';
  const includes = readInclude(resource, parameters.include);
  const binding = {
    organizationId: place.organizationId,
    route: `${call.operation.operationId} ${call.path}`,
    query: { query, perspective },
  };
  const page = await searchRecords(context.database, context.models, model, {
    ...place,
    query,
    country: actor.country,
    after: cursor === undefined ? null : context.cursors.open(binding, cursor),
    limit: Number(limit ?? limits.searchPageSize.default),
    perspective: shown,
    sources: sourcesFor(resource, actor),
  });
  if (page.hits.length === 0) await requireParent(context, resource, place);
  const items = await renderWithinBudget(context.database, place.organizationId, page.hits, (hit) =>
    JSON.stringify(renderHit(hit, actor)),
  );
  const keys = page.hits.map(({ record }) => record.id);
  const included = await readIncluded(
    context,
    { ...place, actor, includes, perspective: shown, continues: cursor !== undefined },
    page.hits
      .slice(0, items.length)
      .filter((hit) => hit.isWhole && isReadable(hit.model.resource, actor))
      .flatMap(({ model: { resource: of }, record }) =>
        mentionedIn(readInclude(of, parameters.include), record),
      ),
  );
  if (resource.searchCursor)
    return respondWithPage(call, items, keys, nextCursorOf(context, binding, page, items.length), included);
  // There is no next page, so hits beyond the page's budget are listed without their record.
  for (const hit of page.hits.slice(items.length))
    items.push(JSON.stringify(renderHit({ ...hit, isWhole: false }, actor)));
  const { truncated } = page;
  const pageInfo = { nextCursor: null, hasNextPage: truncated, truncated };
  return respondWithItems(call, items, keys, pageInfo, included);
}

/**
 * The resources that a search reads: what the role may not read is not found at all, as a GET of it would be refused. A scope that
 * the token lacks hides the record only.
 */
function sourcesFor(resource: Resource, actor: Actor): string[] {
  return resource.searchSources.filter((name) => {
    const requirement = { ...rightFor(resourceByName(name), 'read'), scopes: [] };
    return typeof findGrant(actor, requirement) === 'string';
  });
}

function isReadable(resource: Resource, actor: Actor): boolean {
  return actor.scopes.has(scopeOf(resource, 'read'));
}

/** A search result. Without the scope to read the record, the result has no record and no snippets of it; beyond the budget no record. */
function renderHit(
  { model, record, isWhole, score, highlights }: SearchHit,
  actor: Actor,
): Record<string, unknown> {
  const { resource } = model;
  const readable = isReadable(resource, actor);
  return {
    type: resource.singular,
    id: encodeId(resource.idPrefix, record.id),
    score,
    title: titleOf(resource, record.values),
    highlights: highlights.filter(({ field }) => readable || field === resource.titleField),
    ...(readable && isWhole ? { record: renderRecord(resource, record) } : {}),
  };
}

/**
 * Checks that the parent of a collection exists; otherwise the collection does not exist either. This is needed for empty
 * pages only, because items prove that the parent exists.
 */
export async function requireParent(
  context: HttpContext,
  resource: Resource,
  place: Omit<Target, 'id'>,
): Promise<void> {
  if (resource.parent === null || place.parentId === null) return;
  const parent = modelOf(context.models, resource.parent.resource);
  const target = { ...place, parentId: null, id: place.parentId };
  await readRecord(context.database, parent, target, 'working', 'narrow');
}
