/** The items of a batch: what their bodies may have, and the writes that they stand for. */
import { type Fault, Problem } from '@trellis/schema/problem.ts';
import { type BatchOp, batchOps, batchOpsOf } from '@trellis/schema/resources/batches.ts';
import { itemOf, mapIds } from '@trellis/schema/resources/item-references.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { goesToTrash, matchingOf, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { createBodyCheck } from '@trellis/schema/validation/check-body.ts';
import { refuseFaults } from '@trellis/schema/validation/faults.ts';
import type { Input } from '@trellis/schema/validation/input.ts';
import { prefixOf } from '@trellis/schema/validation/values.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { Step } from '../database/batch.ts';
import { matchingBy } from '../pipeline/matching.ts';
import { type Model, modelOf } from '../pipeline/model.ts';
import type { Target } from '../pipeline/storage.ts';
import type { BatchItem, PlannedItem } from '../pipeline/write/batches/batch.ts';
import { planCreate, planDelete, planUpdate } from '../pipeline/write/plans.ts';
import { planUpsert, readUpsert } from '../pipeline/write/upsert.ts';
import { acceptInput } from './calls.ts';
import type { HttpContext } from './context.ts';
import type { Call } from './operation.ts';
import { placeOf, requirementOf } from './resource-operations.ts';
import {
  body,
  exampleId,
  flag,
  int32Max,
  integer,
  list,
  oneOf,
  optional,
  reference,
  text,
} from './schemas.ts';

/** An item, with the path of the request that it stands for. */
export interface RequestedItem extends BatchItem {
  readonly path: string;
}

/** An item of a body whose form has been checked. */
interface GivenItem {
  readonly op: BatchOp;
  readonly collection?: string;
  readonly id?: string;
  readonly matching?: string;
  readonly ifMatch?: number;
}

const itemMembers = {
  op: oneOf('What is to be done.', 'create', batchOps),
  collection: optional(
    text(
      'Path of the collection that the item belongs to; that of the batch if absent.',
      '/v1/crm/companies',
      {
        minLength: 1,
        maxLength: 200,
      },
    ),
  ),
  id: optional(text('The record to change or delete.', exampleId('con'), { minLength: 1, maxLength: 64 })),
  matching: optional(
    text('Of an upsert: the value by which the record is found, as in a PUT.', 'externalId', {
      minLength: 1,
      maxLength: 40,
    }),
  ),
  ifMatch: optional(
    integer(
      'The version that the record must have; otherwise the item is refused with `version_mismatch`.',
      3,
      {
        minimum: 1,
        maximum: int32Max,
      },
    ),
  ),
};

/** The body without `data`, which is checked as the bodies of single requests. */
export const batchBody = bodyWith({});
const checkBatch = createBodyCheck(batchBody, [], 'batch');

function bodyWith(further: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const item = body('A write.', { ...itemMembers, ...further });
  return body('Several writes.', {
    items: list('The writes, in their order.', item, { minItems: 1, maxItems: limits.batchItems }, [
      { op: 'delete', id: exampleId('con') },
    ]),
    atomic: optional(
      flag(
        'Whether nothing is carried out if one of the items is refused. The response is then the problem of the first, with its index as `item`.',
        false,
      ),
    ),
  });
}

/** The schema as the document has it: `data` is what the request alone would take. */
export function documentedBatch({ models }: HttpContext): JsonSchema {
  const bodies = [...models.values()].flatMap(({ resource }) => {
    const allowed = batchOpsOf(resource);
    const { singular } = resource.title;
    return [
      ...(allowed.includes('create') ? [`${singular}Create`] : []),
      ...(allowed.includes('update') ? [`${singular}Patch`] : []),
    ];
  });
  return bodyWith({
    data: optional({
      description:
        'The body that the request alone would have: that of a creation, or a merge patch for a change or an upsert.',
      anyOf: bodies.map(reference),
      examples: [{ lastName: 'Lovelace' }],
    }),
  });
}

/**
 * Reads the body of a batch. What is wrong with the batch itself is refused as a whole; what is wrong with `data` concerns its item alone.
 * @throws Problem validation_failed, unknown_field
 */
export function readBatch(
  context: HttpContext,
  model: Model,
  call: Call,
  given: unknown,
): { items: readonly RequestedItem[]; atomic: boolean } {
  const { faults, body: checked } = checkBatch(withoutData(given));
  refuseFaults(faults);
  const { items, atomic = false } = checked as { items: readonly GivenItem[]; atomic?: boolean };
  const collections = collectionsOf(context);
  const read = items.map((item, index) => {
    const collection = findCollection(collections, model, call, item.collection);
    const found = collection === null ? null : batchOpsOf(collection.model.resource);
    return {
      item,
      index,
      collection,
      faults: faultsOf(item, dataOf(given, index), found, collection, `/items/${index}`),
    };
  });
  refuseFaults(read.flatMap((one) => one.faults));
  // The collection of the batch itself: a malformed id in its path is like one of no record.
  placeOf(model.resource, call);
  return {
    atomic,
    items: read.flatMap(({ item, index, collection }) =>
      collection === null ? [] : [toItem(context, collection, item, index, dataOf(given, index))],
    ),
  };
}

/** Reads the record that the collection of a batch is below; null if there is none. */
export function parentStep({ models }: HttpContext, { resource }: Model, call: Call): Step | null {
  const { parentId, ...place } = placeOf(resource, call);
  if (resource.parent === null || parentId === null) return null;
  const { statements } = modelOf(models, resource.parent.resource);
  return statements.read({ ...place, parentId: null, id: parentId }, 'working', 'narrow');
}

/** The collection of an item, and where it is. */
interface Collection {
  readonly model: Model;
  readonly path: string;
  /** Organization, caller and parent. @throws Problem not_found for an id of no record */
  place(): Omit<Target, 'id'>;
}

interface KnownCollection {
  readonly model: Model;
  readonly pattern: RegExp;
}

function collectionsOf({ models }: HttpContext): readonly KnownCollection[] {
  return [...models.values()]
    .filter(({ resource }) => batchOpsOf(resource).length > 0)
    .map((model) => ({
      model,
      pattern: new RegExp(`^/v1${model.resource.path.replace(/\{\w+\}/g, '([^/]+)')}$`),
    }));
}

function findCollection(
  known: readonly KnownCollection[],
  own: Model,
  call: Call,
  path: string | undefined,
): Collection | null {
  if (path === undefined)
    return {
      model: own,
      path: call.path.slice(0, -'/batch'.length),
      place: () => placeOf(own.resource, call),
    };
  for (const { model, pattern } of known) {
    const found = pattern.exec(path);
    if (found === null) continue;
    const { parent } = model.resource;
    const { organizationId, userId } = call.credentials;
    const place = () => {
      const parentId = parent === null ? null : decodeId(prefixOf(parent.resource), found[1] ?? '');
      if (parent !== null && parentId === null) throw new Problem('not_found');
      return { organizationId, userId, parentId };
    };
    return { model, path, place };
  }
  return null;
}

/** What is wrong with the form of an item. */
function faultsOf(
  { op, id, matching, ifMatch }: GivenItem,
  data: unknown,
  allowed: readonly BatchOp[] | null,
  collection: Collection | null,
  pointer: string,
): Fault[] {
  if (allowed === null || collection === null)
    return [
      {
        pointer: `${pointer}/collection`,
        code: 'enum',
        detail: 'Must be the path of a collection that has batches.',
      },
    ];
  if (!allowed.includes(op))
    return [{ pointer: `${pointer}/op`, code: 'enum', detail: `Must be one of ${allowed.join(', ')} here.` }];
  const names = { id, matching, ifMatch, data };
  const needed = { create: ['data'], update: ['id', 'data'], upsert: ['matching', 'data'], delete: ['id'] }[
    op
  ];
  const possible = op === 'create' ? needed : [...needed, 'ifMatch'];
  const isGiven = (name: keyof typeof names) => names[name] !== undefined;
  const matchings = matchingOf(collection.model.resource);
  return [
    ...needed
      .filter((name) => !isGiven(name as keyof typeof names))
      .map((name) => ({
        pointer: `${pointer}/${name}`,
        code: 'required',
        detail: `An item of the kind ${op} needs it.`,
      })),
    ...Object.keys(names)
      .filter((name) => isGiven(name as keyof typeof names) && !possible.includes(name))
      .map((name) => ({
        pointer: `${pointer}/${name}`,
        code: 'unexpected',
        detail: `An item of the kind ${op} has none.`,
      })),
    ...(op === 'upsert' && matching !== undefined && !matchings.includes(matching)
      ? [{ pointer: `${pointer}/matching`, code: 'enum', detail: `Must be one of ${matchings.join(', ')}.` }]
      : []),
  ];
}

function toItem(
  context: HttpContext,
  collection: Collection,
  { op, id = '', matching = '', ifMatch }: GivenItem,
  index: number,
  data: unknown,
): RequestedItem {
  const { model, path, place } = collection;
  const { resource } = model;
  const refersTo = new Set<number>();
  mapIds(resource, data, (value) => {
    const item = itemOf(value);
    if (item !== null) refersTo.add(item);
    return value;
  });
  const recordId = op === 'update' || op === 'delete' ? decodeId(resource.idPrefix, id) : null;
  const target = () => {
    if (recordId === null) throw new Problem('not_found');
    return { ...place(), id: recordId };
  };
  const shape = { minimal: true };
  const keysOf = (name: string, { values }: Input) =>
    matchingBy(resource, name)
      .valuesOf(values)
      .map((value) => `${resource.name} ${name} ${value}`);
  const planned = (plan: PlannedItem['plan'], input: Input | null, wanted: readonly string[] = []) => ({
    plan,
    keys: input === null ? [] : matchingOf(resource).flatMap((name) => keysOf(name, input)),
    wanted,
  });
  return {
    model,
    path: recordId === null && op !== 'update' && op !== 'delete' ? path : `${path}/${id}`,
    requirement:
      op === 'upsert'
        ? { ...requirementOf(resource, 'create'), orActions: ['update'] }
        : requirementOf(resource, op),
    preconditions: {
      ifMatch: ifMatch === undefined ? undefined : { any: false, strong: [String(ifMatch)], weak: [] },
      ifNoneMatch: undefined,
    },
    place,
    refersTo: [...refersTo].filter((each) => each < index),
    recordId,
    plan(idOf) {
      const resolved = refersTo.size === 0 ? data : resolve(resource, data, idOf);
      switch (op) {
        case 'create': {
          const input = acceptInput(model.input.create(resolved));
          return planned(planCreate(context.models, model, place(), input, shape), input);
        }
        case 'update': {
          const input = acceptInput(model.input.patch(resolved));
          return planned(planUpdate(model, target(), input, shape), input);
        }
        case 'upsert': {
          const input = readUpsert(model, matching, resolved);
          const plan = planUpsert(context.models, model, place(), input, shape);
          return planned(plan, input.patch, keysOf(matching, input.patch));
        }
        case 'delete': {
          const keepSeconds = goesToTrash(resource) ? context.writes.trashRetentionSeconds : 0;
          return planned(planDelete(model, target(), keepSeconds), null);
        }
      }
    },
  };
}

/** The body with the ids of the records of other items. @throws Problem reference_not_found for an item that is not before it, or was refused */
function resolve(resource: Resource, data: unknown, idOf: (index: number) => string | null): unknown {
  const faults: Fault[] = [];
  const resolved = mapIds(resource, data, (value, pointer) => {
    const item = itemOf(value);
    if (item === null) return value;
    const id = idOf(item);
    if (id === null)
      faults.push({
        pointer,
        code: 'reference_not_found',
        detail: `The item ${item} has no record: it is not before this one, or was refused.`,
      });
    return id ?? value;
  });
  refuseFaults(faults);
  return resolved;
}

function withoutData(given: unknown): unknown {
  if (!isPlainObject(given) || !Array.isArray(given.items)) return given;
  const items = given.items.map((item) => {
    if (!isPlainObject(item)) return item;
    const { data: _data, ...others } = item;
    return others;
  });
  return { ...given, items };
}

function dataOf(given: unknown, index: number): unknown {
  return (given as { items: readonly { data?: unknown }[] }).items[index]?.data;
}
