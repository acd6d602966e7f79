/** The six operations that every resource has, derived from its declaration. */

import { shownOnceName } from '@trellis/schema/resources/actions.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import { joinWords, nounOf, withArticle } from '@trellis/schema/resources/nouns.ts';
import {
  type Action,
  goesToTrash,
  type Resource,
  type SharedOperation,
  statusOf,
} from '@trellis/schema/resources/resource.ts';
import { rightFor } from '@trellis/schema/rights/check-right.ts';
import { rightsOfRemoval, rightsOfUpdate } from '@trellis/schema/rights/publishing-rights.ts';
import { createBodySchema, patchBodySchema } from '@trellis/schema/validation/body-schemas.ts';
import type { Requirement } from '../identity/actor.ts';
import type { Model } from '../pipeline/model.ts';
import type { Target } from '../pipeline/storage.ts';
import { planCreate, planDelete, planUpdate } from '../pipeline/write/plans.ts';
import { acceptInput, handleRead, handleWrite, pathId, scopeOfRead } from './calls.ts';
import type { HttpContext } from './context.ts';
import { createExample, patchExample } from './examples.ts';
import { includeParameters } from './include.ts';
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
import { readOne, readPage, searchPage } from './resource-reads.ts';

/** The six operations of a resource, by name. */
export type SharedOperations = Readonly<Record<SharedOperation, Operation>>;

/** Makes the six operations of a resource. */
export function resourceOperations(context: HttpContext, model: Model): SharedOperations {
  const { resource } = model;
  const { singular, plural } = resource.title;
  const collection = `/v1${resource.path}`;
  const { path: item, parameters: ofItem } = itemOf(resource);
  const above = parentParameters(resource);
  const common = { tag: plural };
  const refusals = (operation: SharedOperation) => resource.refusals?.[operation] ?? [];
  const sparse = fieldsParameter(resource);
  const include = includeParameters(resource);
  const isTrashable = goesToTrash(resource);
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
      queryParameters: [
        ...listParameters(resource),
        ...filterParameters(resource),
        ...published,
        sparse,
        ...include,
      ],
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
        handleRead(context, call, (actor, parameters) =>
          readPage(context, model, call, placeOf(resource, call), actor, parameters),
        ),
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
        description: `The created record${resource.secret === undefined ? '' : `, with its ${resource.secret.member}`}.`,
        schemaName: shownOnceName(resource),
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
      description: `Returns one ${nounOf(resource.singular)}. The ETag is its version${include.length === 0 ? '' : ', followed by a digest of the response if that has `included`'}.`,
      requirement: requirementOf(resource, 'read'),
      pathParameters: ofItem,
      queryParameters: [...published, sparse, ...include],
      body: null,
      success: { status: 200, description: 'The record.', schemaName: singular, headers: ['ETag'] },
      conditional: true,
      problems: refusals('read'),
      handle: (call) =>
        handleRead(context, call, (actor, parameters) =>
          readOne(context, model, call, targetOf(resource, call), actor, parameters),
        ),
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
      pathParameters: ofItem,
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
        isTrashable
          ? 'Moves the record into the trash, from where `restoreFromTrash` brings it back until its time there is over (30 days, unless the installation says otherwise). All other operations respond as if it were gone, and its unique values are free.'
          : 'Deletes the record permanently.',
        ...also(resource.removal),
        ...rightsOfRemoval(resource),
      ].join(' '),
      requirement: requirementOf(resource, 'delete'),
      pathParameters: ofItem,
      queryParameters: isTrashable ? [eraseParameter] : [],
      body: null,
      success: { status: 204, description: 'Deleted.', schemaName: null, headers: ['Idempotent-Replayed'] },
      conditional: false,
      problems: ['in_use', 'version_mismatch', ...refusals('delete')],
      handle: (call) =>
        handleWrite(context, call, ({ parameters: { erase } }) =>
          planDelete(
            model,
            targetOf(resource, call),
            isTrashable && erase !== 'true' ? context.writes.trashRetentionSeconds : 0,
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
      queryParameters: [...searchParameters(resource), ...published, ...include],
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
        handleRead(context, call, (actor, parameters) =>
          searchPage(context, model, call, placeOf(resource, call), actor, parameters),
        ),
    },
  };
}

/** The path of a record, and its parameters. */
export function itemOf(
  resource: Resource,
): Pick<Operation, 'path'> & { parameters: Operation['pathParameters'] } {
  const { name, singular, idPrefix, path, single } = resource;
  const id = idParameter('id', name, idPrefix, `Id of the ${nounOf(singular)}.`);
  return {
    path: `/v1${path}${single === true ? '' : '/{id}'}`,
    parameters: [...parentParameters(resource), ...(single === true ? [] : [id])],
  };
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
