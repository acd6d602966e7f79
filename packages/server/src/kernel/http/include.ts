/**
 * The parameter `include`: records that those of a response refer to, each read as by a request of its own. What the caller may not see is
 * left out like what does not exist. One statement reads the records of a resource, and all of them are sent together.
 */
import { createHash } from 'node:crypto';
import { type Include, idsIn, includedName, includesOf } from '@trellis/schema/resources/includes.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { joinWords, labelOf } from '@trellis/schema/resources/nouns.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { rightFor } from '@trellis/schema/rights/check-right.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import type { Row } from '../database/batch.ts';
import { decodeColumn } from '../database/values.ts';
import { type Actor, findGrant } from '../identity/actor.ts';
import { type Model, modelOf } from '../pipeline/model.ts';
import {
  isCut,
  joinParts,
  listParts,
  pageBytesFor,
  type RenderedItem,
  renderWithinBudget,
} from '../pipeline/page-budget.ts';
import { firstColumn, type Perspective, place, selectWidth, type Target } from '../pipeline/storage.ts';
import { respondWithJson } from './calls.ts';
import type { HttpContext } from './context.ts';
import type { Call, OperationResponse, QueryParameter } from './operation.ts';
import { writerOf } from './sparse.ts';

/** The parameter of a resource's reads; none if it refers to nothing that could be included. */
export function includeParameters(resource: Resource): QueryParameter[] {
  const includes = includesOf(resource);
  const [first] = includes;
  if (first === undefined) return [];
  const targets = [...new Set(includes.map(({ target }) => labelOf(resourceByName(target))))];
  return [
    {
      name: 'include',
      description: `Return in \`included\` what the records refer to by these members, separated by commas: ${joinWords(targets)}. A record that the caller may not read is left out, like one that does not exist. At most ${limits.includedRecords} records, and as many bytes as a page may have; the ids of the others are in \`omitted\`.`,
      required: false,
      schema: {
        type: 'array',
        items: { type: 'string', enum: includes.map(({ name }) => name) },
        minItems: 1,
        maxItems: limits.parameterValues,
      },
      example: [first.name],
    },
  ];
}

/** The references that `include` names. */
export function readInclude(resource: Resource, value: string | undefined): readonly Include[] {
  const names = value?.split(',') ?? [];
  return includesOf(resource).filter(({ name }) => names.includes(name));
}

/** The fields that have to be read: the selected ones, and those with the ids of what is included. */
export function withFieldsOf(
  selected: ReadonlySet<string> | null,
  includes: readonly Include[],
): ReadonlySet<string> | null {
  if (selected === null || includes.length === 0) return selected;
  return new Set([...selected, ...includes.flatMap(({ field }) => field ?? [])]);
}

/** A record by the name of its resource and its uuid. */
interface Mentioned {
  readonly include: Include;
  readonly id: string;
}

/** What a row of `selectList` refers to. */
export function mentionedInRow({ storage }: Model, includes: readonly Include[], row: Row): Mentioned[] {
  const storedValue = (name: string) => {
    const index = storage.columns.findIndex(({ field }) => field === name);
    return decodeColumn(storage.columns[index]?.kind ?? 'text', row[firstColumn + index] ?? null);
  };
  return mentioned(includes, storedValue, row[place.parent] ?? null);
}

/** What a record refers to. */
export function mentionedIn(includes: readonly Include[], { values, parentId }: StoredRecord): Mentioned[] {
  return mentioned(includes, (name) => values[name], parentId);
}

function mentioned(
  includes: readonly Include[],
  storedValue: (field: string) => unknown,
  parentId: string | null,
): Mentioned[] {
  return includes.flatMap((include) =>
    idsIn(include, storedValue, parentId).map((id): Mentioned => ({ include, id })),
  );
}

/** What the records are included for. */
interface Including extends Omit<Target, 'id'> {
  readonly actor: Actor;
  readonly includes: readonly Include[];
  readonly perspective: Perspective;
  /** Whether the response continues a list, see `ListedPage`. */
  readonly continues: boolean;
}

/**
 * Reads the mentioned records: the member `included` of a response, as parts of its text; null if nothing was to be included.
 * @throws Problem insufficient_user_authentication if a session has got as many records as it may
 */
export async function readIncluded(
  context: HttpContext,
  { actor, includes, perspective, continues, ...caller }: Including,
  references: readonly Mentioned[],
): Promise<readonly RenderedItem[] | null> {
  if (includes.length === 0) return null;
  const { database } = context;
  const mayRead = ({ target }: Include) =>
    typeof findGrant(actor, rightFor(resourceByName(target), 'read')) === 'string';
  const wanted = new Map(
    references.flatMap(({ include, id }) => (mayRead(include) ? [[id, include] as const] : [])),
  );
  const ids = [...wanted.keys()];
  const beyond = new Set(ids.slice(limits.includedRecords));
  const targets = [...new Map(includes.map((include) => [include.target, include])).values()].map(
    ({ target, sameParent }) => ({
      model: modelOf(context.models, target),
      parentId: sameParent ? caller.parentId : null,
      ids: ids.filter((id) => wanted.get(id)?.target === target && !beyond.has(id)),
    }),
  );
  const read = targets.filter((target) => target.ids.length > 0);
  const bytes = Math.floor(pageBytesFor(database, caller.organizationId) / Math.max(read.length, 1));
  const steps = read.map(({ model, parentId, ids: of }) =>
    model.statements.byIds({ ...caller, parentId }, of, perspective, 'full', bytes),
  );
  const results = steps.length === 0 ? [] : await database.query(caller, steps);
  const found = read.flatMap(({ model, ids: of }, index) => {
    const rows = results[index]?.rows ?? [];
    if (isCut(rows, selectWidth(model.storage) + 1))
      for (const id of of.slice(of.indexOf(idOfRow(rows.at(-1))) + 1)) beyond.add(id);
    return rows.map((row) => ({ model, row }));
  });
  const items = await renderWithinBudget(database, caller.organizationId, found, ({ model, row }) =>
    writerOf(model, null)(row),
  );
  for (const { row } of found.slice(items.length)) beyond.add(idOfRow(row));
  const parts = targets.flatMap(({ model }, index): RenderedItem[] => {
    const { name } = model.resource;
    const shown = items.flatMap((item, at) => {
      const one = found[at];
      return one?.model === model ? [{ item, id: idOfRow(one.row) }] : [];
    });
    const page = { resource: name, keys: shown.map(({ id }) => id), continues };
    context.exports.note(actor, page, performance.now());
    const before = `${index === 0 ? '' : ','}${JSON.stringify(includedName(name))}:`;
    return [before, ...listParts(shown.map(({ item }) => item))];
  });
  const omitted = [...wanted].flatMap(([id, { target }]) =>
    beyond.has(id) ? [encodeId(resourceByName(target).idPrefix, id)] : [],
  );
  return ['{', ...parts, omitted.length === 0 ? '}' : `,"omitted":${JSON.stringify(omitted)}}`];
}

function idOfRow(row: Row | undefined): string {
  return row?.[place.id] ?? '';
}

/** A record with what it includes. Its tag is that of all of it: the version says nothing about the included records. */
export function respondWithIncluded(
  call: Call,
  version: number,
  record: string,
  included: readonly RenderedItem[],
): OperationResponse {
  const body = joinParts([record.slice(0, -1), ',"included":', ...included, '}']);
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 32);
  return respondWithJson(call, `"${version};included=${digest}"`, () => body);
}
