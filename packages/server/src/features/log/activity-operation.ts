/**
 * The operation that reads recent activity with the titles of the records. Rights are checked as for the log (events) and for
 * lists (titles). It names few records, so it does not count as an export.
 */
import { resources } from '@trellis/schema/resources/index.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { rightFor } from '@trellis/schema/rights/check-right.ts';
import { titleOf } from '@trellis/schema/validation/values.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { describeSubject } from '../../kernel/events/cloud-event.ts';
import { handleRead, respondWithJson, scopeOfRead } from '../../kernel/http/calls.ts';
import type { HttpContext } from '../../kernel/http/context.ts';
import type { Call, Operation } from '../../kernel/http/operation.ts';
import type { Parameters } from '../../kernel/http/parameters.ts';
import { limitParameter } from '../../kernel/http/resource-parameters.ts';
import { type Actor, findGrant } from '../../kernel/identity/actor.ts';
import type { Model } from '../../kernel/pipeline/model.ts';
import { pageBytesFor } from '../../kernel/pipeline/page-budget.ts';
import { decodeRecord } from '../../kernel/pipeline/storage.ts';
import {
  examinedPositions,
  examinedPositionsOfTypes,
  type KnownActivity,
  knownActivity,
  readWorks,
} from './activity.ts';
import { readableTypes, readingEvents, readTypes, typeParameter } from './operations.ts';
import { mostWorks } from './schemas.ts';

const usualWorks = 20;

export function activityOperation(context: HttpContext, origin: () => string): Operation {
  const known = knownActivity();
  return {
    operationId: 'getActivity',
    method: 'GET',
    path: '/v1/activity',
    tag: 'Events',
    summary: 'Read what changed lately',
    description: `The newest events of the log, joined to pieces of work, with the titles of the records: an import of thousands of records is one piece. Of the log the newest ${examinedPositions} positions are examined, with \`type\` the newest ${examinedPositions} events of it within ${examinedPositionsOfTypes} positions; numbers of events and records are those within them. Titles are those that the caller may read now.`,
    requirement: readingEvents,
    pathParameters: [],
    queryParameters: [limitParameter({ min: 1, max: mostWorks, default: usualWorks }), typeParameter],
    body: null,
    success: { status: 200, description: 'What changed lately.', schemaName: 'Activity', headers: [] },
    conditional: false,
    problems: [],
    handle: (call) =>
      handleRead(context, call, async (actor, parameters) => {
        const items = await readItems(context, origin(), call, actor, parameters, known);
        return respondWithJson(call, null, () => JSON.stringify({ items }));
      }),
  };
}

async function readItems(
  context: HttpContext,
  origin: string,
  call: Call,
  actor: Actor,
  { limit = String(usualWorks), type }: Parameters,
  known: KnownActivity,
): Promise<readonly object[]> {
  readTypes(type);
  const query = { subjectTypes: readableTypes(actor), type: type ?? null, limit: Number(limit) };
  const works = await readWorks(context.database, scopeOfRead(call), query, known);
  const wanted = works.flatMap(({ subjectType, userId, newest }) => [
    ...newest.map(({ id, parentId }) => ({ subjectType, id, parentId })),
    ...(userId === null ? [] : [{ subjectType: 'member', id: userId, parentId: null }]),
  ]);
  const titles = await readTitles(context, call, actor, wanted);
  return works.map(({ subjectType, userId, newest, ...work }) => ({
    resource: subjectType,
    user: userId === null ? null : encodeId('user', userId),
    userName: (userId === null ? undefined : titles.get(`member ${userId}`)) ?? null,
    ...work,
    newest: newest.map(({ id, parentId, actions, changedAt }) => ({
      ...describeSubject({ subjectType, subjectId: id, parentId }, origin),
      title: titles.get(`${subjectType} ${id}`) ?? null,
      actions,
      changedAt,
    })),
  }));
}

/** A record whose title is wanted. */
interface Wanted {
  readonly subjectType: string;
  readonly id: string;
  readonly parentId: string | null;
}

/** The titles of the records that the caller may read, by kind and id, in one round trip. */
async function readTitles(
  { database, models }: HttpContext,
  call: Call,
  actor: Actor,
  wanted: readonly Wanted[],
): Promise<ReadonlyMap<string, string>> {
  const scope = scopeOfRead(call);
  const lists = Map.groupBy(wanted, ({ subjectType, parentId }) => `${subjectType} ${parentId}`);
  const pageBytes = pageBytesFor(database, scope.organizationId);
  const reads = [...lists.values()].flatMap((ofList) => {
    const [{ subjectType, parentId } = { subjectType: '', parentId: null }] = ofList;
    const model = readableModel(models, actor, subjectType);
    if (model === null || (model.resource.parent !== null && parentId === null)) return [];
    const { resource, statements } = model;
    const only = new Set([resource.titleField, ...(resource.titleFallbacks ?? [])]);
    const place = {
      ...scope,
      parentId: resource.parent === null ? null : parentId,
    };
    const ids = [...new Set(ofList.map(({ id }) => id))];
    return [{ model, step: statements.byIds(place, ids, 'working', 'narrow', pageBytes, only) }];
  });
  if (reads.length === 0) return new Map();
  const results = await database.query(
    scope,
    reads.map(({ step }) => step),
  );
  return new Map(
    reads.flatMap(({ model: { resource, storage } }, index) =>
      (results[index]?.rows ?? []).map((row): [string, string] => {
        const { id, values } = decodeRecord(storage, row);
        return [`${resource.singular} ${id}`, titleOf(resource, values)];
      }),
    ),
  );
}

/** The model of a kind of record whose list the caller may read; null for others. */
function readableModel(models: HttpContext['models'], actor: Actor, singular: string): Model | null {
  const resource: Resource | undefined = resources.find((one) => one.singular === singular);
  if (resource === undefined || resource.single === true) return null;
  const isReadable = typeof findGrant(actor, rightFor(resource, 'read')) === 'string';
  return isReadable ? (models.get(resource.name) ?? null) : null;
}
