/** The six operations that every resource has, derived from its declaration. */

import { filtersOf } from '@trellis/schema/resources/filters.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import {
  type Action,
  isKeptWhenDeleted,
  isRepeated,
  joinWords,
  nounOf,
  type Resource,
  type SharedOperation,
  scopeOf,
  statusOf,
  withArticle,
} from '@trellis/schema/resources/resource.ts';
import { rightFor } from '@trellis/schema/rights/check-right.ts';
import { rightsOfRemoval, rightsOfUpdate } from '@trellis/schema/rights/publishing-rights.ts';
import { createBodySchema, patchBodySchema } from '@trellis/schema/validation/body-schemas.ts';
import { renderRecord, titleOf } from '@trellis/schema/validation/values.ts';
import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';
import { type Actor, findGrant, type Requirement } from '../identity/actor.ts';
import { entityTag } from '../pipeline/entity-tags.ts';
import { listRecords } from '../pipeline/list/list.ts';
import { type Model, modelOf } from '../pipeline/model.ts';
import { renderWithinBudget } from '../pipeline/page-budget.ts';
import { readRecord, readRow } from '../pipeline/read/read.ts';
import type { SearchHit } from '../pipeline/search/hits.ts';
import { searchRecords } from '../pipeline/search/search.ts';
import { type Target, versionOfRow } from '../pipeline/storage.ts';
import { planCreate, planDelete, planUpdate } from '../pipeline/write/plans.ts';
import {
  acceptInput,
  handleRead,
  handleWrite,
  nextCursorOf,
  pathId,
  respondWithItems,
  respondWithJson,
  respondWithPage,
  scopeOfRead,
} from './calls.ts';
import type { HttpContext } from './context.ts';
import { createExample, patchExample } from './examples.ts';
import type { Call, Operation } from './operation.ts';
import {
  eraseParameter,
  fieldsParameter,
  filterParameters,
  idParameter,
  listParameters,
  parentParameters,
  perspectiveParameter,
  searchParameters,
} from './resource-parameters.ts';
import { readSelection, writerOf } from './sparse.ts';

/** The six operations of a resource, by name. */
export type SharedOperations = Readonly<Record<SharedOperation, Operation>>;

/** Makes the six operations of a resource. */
export function resourceOperations(context: HttpContext, model: Model): SharedOperations {
  const { resource } = model;
  const { singular, plural } = resource.title;
  const collection = `/v1${resource.path}`;
  const item = resource.single === true ? collection : `${collection}/{id}`;
  const above = parentParameters(resource);
  const id = resource.single
    ? []
    : [idParameter('id', resource.name, resource.idPrefix, `Id of the ${nounOf(resource.singular)}.`)];
  const common = { tag: plural };
  const refusals = (operation: SharedOperation) => resource.refusals?.[operation] ?? [];
  const sparse = fieldsParameter(resource);
  const isKept = isKeptWhenDeleted(resource);
  const published = resource.versions === undefined ? [] : [perspectiveParameter];
  return {
    list: {
      ...common,
      operationId: `list${plural}`,
      method: 'GET',
      path: collection,
      summary: `List ${nounOf(resource.name)}`,
      description: `${resource.description} Newest first unless \`sort\` says otherwise.`,
      requirement: requirementOf(resource, 'read'),
      pathParameters: above,
      queryParameters: [...listParameters(resource), ...filterParameters(resource), ...published, sparse],
      body: null,
      success: {
        status: 200,
        description: 'One page of records.',
        schemaName: `${singular}List`,
        headers: [],
      },
      isListing: true,
      conditional: false,
      problems: ['cursor_invalid', 'cursor_mismatch', ...refusals('list')],
      handle: (call) =>
        handleRead(context, call, (actor, parameters) => list(context, model, call, actor, parameters)),
    },
    create: {
      ...common,
      operationId: `create${singular}`,
      method: 'POST',
      path: collection,
      summary: `Create ${withArticle(resource.singular)}`,
      description: [
        `Creates ${withArticle(resource.singular)} and returns it.`,
        ...also(resource.creation),
      ].join(' '),
      requirement: requirementOf(resource, 'create'),
      pathParameters: above,
      queryParameters: [],
      body: {
        schemaName: `${singular}Create`,
        schema: createBodySchema(resource),
        mediaTypes: ['application/json'],
        example: createExample(resource),
      },
      success: {
        status: 201,
        description: 'The created record.',
        schemaName: singular,
        headers: ['ETag', 'Location', 'Idempotent-Replayed', 'Preference-Applied'],
      },
      conditional: false,
      // not_found: a create may be retried after its record was deleted.
      problems: [
        'not_found',
        'conflict',
        'reference_not_found',
        'validation_failed',
        'unknown_field',
        ...refusals('create'),
      ],
      handle: (call) =>
        handleWrite(context, call, ({ body, minimal }) => {
          // The body first: a malformed id in the path gets the same response as an id of no record, which is found out later.
          const input = acceptInput(model.input.create(body));
          return planCreate(context.models, model, placeOf(resource, call), input, { minimal });
        }),
    },
    read: {
      ...common,
      operationId: `get${singular}`,
      method: 'GET',
      path: item,
      summary: `Read ${withArticle(resource.singular)}`,
      description: `Returns one ${nounOf(resource.singular)}. The ETag is its version.`,
      requirement: requirementOf(resource, 'read'),
      pathParameters: [...above, ...id],
      queryParameters: [...published, sparse],
      body: null,
      success: { status: 200, description: 'The record.', schemaName: singular, headers: ['ETag'] },
      conditional: true,
      problems: refusals('read'),
      handle: (call) =>
        handleRead(context, call, (_actor, parameters) => read(context, model, call, parameters)),
    },
    update: {
      ...common,
      operationId: `update${singular}`,
      method: 'PATCH',
      path: item,
      summary: `Change ${withArticle(resource.singular)}`,
      description: [
        'A merge patch (RFC 7396): absent members stay unchanged, null clears, arrays are replaced. A patch that changes nothing does not increase the version.',
        ...rightsOfUpdate(resource),
      ].join(' '),
      requirement: requirementOf(resource, 'update'),
      pathParameters: [...above, ...id],
      queryParameters: [],
      body: {
        schemaName: `${singular}Patch`,
        schema: patchBodySchema(resource),
        mediaTypes: ['application/merge-patch+json', 'application/json'],
        example: patchExample(resource),
      },
      success: {
        status: 200,
        description: 'The record after the change.',
        schemaName: singular,
        headers: ['ETag', 'Idempotent-Replayed', 'Preference-Applied'],
      },
      conditional: false,
      problems: [
        'conflict',
        'reference_not_found',
        'validation_failed',
        'unknown_field',
        'empty_patch',
        'version_mismatch',
        ...(statusOf(resource) === null ? [] : (['invalid_transition'] as const)),
        ...refusals('update'),
      ],
      handle: (call) =>
        handleWrite(context, call, ({ body, minimal }) => {
          const input = acceptInput(model.input.patch(body));
          return planUpdate(model, targetOf(resource, call), input, { minimal });
        }),
    },
    delete: {
      ...common,
      operationId: `delete${singular}`,
      method: 'DELETE',
      path: item,
      summary: `Delete ${withArticle(resource.singular)}`,
      description: [
        isKept
          ? 'Moves the record into the trash, from where `restoreFromTrash` brings it back until its time there is over (30 days, unless the installation says otherwise). All other operations respond as if it were gone, and its unique values are free.'
          : 'Deletes the record permanently.',
        ...also(resource.removal),
        ...rightsOfRemoval(resource),
      ].join(' '),
      requirement: requirementOf(resource, 'delete'),
      pathParameters: [...above, ...id],
      queryParameters: isKept ? [eraseParameter] : [],
      body: null,
      success: { status: 204, description: 'Deleted.', schemaName: null, headers: ['Idempotent-Replayed'] },
      conditional: false,
      problems: ['in_use', 'version_mismatch', ...refusals('delete')],
      handle: (call) =>
        handleWrite(context, call, ({ parameters: { erase } }) =>
          planDelete(
            model,
            targetOf(resource, call),
            isKept && erase !== 'true' ? context.writes.trashRetentionSeconds : 0,
          ),
        ),
    },
    search: {
      ...common,
      operationId: `search${plural}`,
      method: 'GET',
      path: `${collection}/search`,
      summary: `Search ${nounOf(resource.name)}`,
      description: searchDescription(resource),
      requirement: requirementOf(resource, 'read'),
      pathParameters: above,
      queryParameters: [...searchParameters(resource), ...published],
      body: null,
      success: {
        status: 200,
        description: 'One page of results.',
        schemaName: `${singular}SearchResults`,
        headers: [],
      },
      isListing: true,
      conditional: false,
      problems: [
        ...(resource.searchCursor ? (['cursor_invalid', 'cursor_mismatch'] as const) : []),
        ...refusals('search'),
      ],
      handle: (call) =>
        handleRead(context, call, (actor, parameters) => search(context, model, call, actor, parameters)),
    },
  };
}

async function list(
  context: HttpContext,
  model: Model,
  call: Call,
  actor: Actor,
  parameters: Readonly<Record<string, string>>,
) {
  const { resource } = model;
  const {
    limit,
    cursor,
    sort = '-createdAt',
    search: text,
    ids,
    fields,
    perspective = 'working',
    ...filters
  } = parameters;
  const place = placeOf(resource, call);
  const chosen = ids?.split(',');
  const selection = readSelection(resource, fields);
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
    perspective: perspective === 'published' ? 'published' : 'working',
    width: selection?.width ?? 'full',
    fields: selection?.fields ?? null,
  });
  if (page.rows.length === 0) await requireParent(context, resource, place);
  const write = writerOf(model, selection);
  const items = await renderWithinBudget(context.database, place.organizationId, page.rows, write);
  const keys = page.rows.map(([id]) => id ?? '');
  return respondWithPage(call, items, keys, nextCursorOf(context, binding, page, items.length));
}

/** Records of a page without `limit`: as many as there are, if their keys are given. */
function pageSizeFor(resource: Resource, filters: Readonly<Record<string, string>>): number {
  const areGiven = Object.keys(filters).some((name) => {
    const filter = filtersOf(resource)[name];
    return filter !== undefined && isRepeated(filter);
  });
  return areGiven ? limits.listPageSize.max : limits.listPageSize.default;
}

async function read(
  context: HttpContext,
  model: Model,
  call: Call,
  parameters: Readonly<Record<string, string>>,
) {
  const selection = readSelection(model.resource, parameters.fields);
  const perspective = parameters.perspective === 'published' ? 'published' : 'working';
  const target = targetOf(model.resource, call);
  const row = await readRow(context.database, model, target, perspective, selection?.width ?? 'full');
  return respondWithJson(call, entityTag(versionOfRow(row)), () => writerOf(model, selection)(row));
}

async function search(
  context: HttpContext,
  model: Model,
  call: Call,
  actor: Actor,
  parameters: Readonly<Record<string, string>>,
) {
  const { resource } = model;
  const { query = '', limit, cursor, perspective = 'working' } = parameters;
  const place = placeOf(resource, call);
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
    perspective: perspective === 'published' ? 'published' : 'working',
    sources: sourcesFor(resource, actor),
  });
  if (page.hits.length === 0) await requireParent(context, resource, place);
  const items = await renderWithinBudget(context.database, place.organizationId, page.hits, (hit) =>
    JSON.stringify(renderHit(hit, actor)),
  );
  const keys = page.hits.map(({ record }) => record.id);
  if (resource.searchCursor)
    return respondWithPage(call, items, keys, nextCursorOf(context, binding, page, items.length));
  // There is no next page, so hits beyond the page's budget are listed without their record.
  for (const hit of page.hits.slice(items.length))
    items.push(JSON.stringify(renderHit({ ...hit, isWhole: false }, actor)));
  const { truncated } = page;
  return respondWithItems(call, items, keys, { nextCursor: null, hasNextPage: truncated, truncated });
}

/**
 * The resources that a search reads: what the role may not read is not found at all, as a GET of it would be refused. A scope that
 * the token lacks hides the record only.
 */
function sourcesFor(resource: Resource, actor: Actor): string[] {
  return resource.searchSources.filter((name) => {
    const requirement = { ...requirementOf(resourceByName(name), 'read'), scopes: [] };
    return typeof findGrant(actor, requirement) === 'string';
  });
}

/** A search result. Without the scope to read the record, the result has no record and no snippets of it; beyond the budget no record. */
function renderHit(
  { model, record, isWhole, score, highlights }: SearchHit,
  actor: Actor,
): Record<string, unknown> {
  const { resource } = model;
  const readable = actor.scopes.has(scopeOf(resource, 'read'));
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

/** Organization, caller and parent of a collection. */
export function placeOf(resource: Resource, call: Call): Omit<Target, 'id'> {
  const parentId =
    resource.parent === null ? null : pathId(call, resource.parent.parameter, resource.parent.resource);
  // Whoever may act is read as it is now.
  const { organizationId, userId } = call.credentials;
  const scope = resource.givesAccess === true ? { organizationId, userId } : scopeOfRead(call);
  return { ...scope, parentId };
}

/** The record that an item route names. */
export function targetOf(resource: Resource, call: Call): Target {
  const place = placeOf(resource, call);
  return { ...place, id: resource.single ? place.organizationId : pathId(call, 'id', resource.name) };
}

/** The scope, module and permission that an action on a resource requires. */
export function requirementOf(resource: Resource, action: Action): Requirement {
  return rightFor(resource, action);
}

function searchDescription(resource: Resource): string {
  const sources = joinWords(resource.searchSources.map(nounOf));
  const above =
    resource.parent === null ? '' : ` of one ${nounOf(resourceByName(resource.parent.resource).singular)}`;
  return `Searches ${sources}${above}, best match first, then newest. Case and accents do not matter; one typo is forgiven when nothing matches exactly.`;
}

function also(sentence: string | undefined): string[] {
  return sentence === undefined ? [] : [sentence];
}
