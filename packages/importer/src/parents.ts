/** The parents of rows, such as a site. Users name them by key or title; the API's paths contain their id. */

import { ProblemError } from '@trellis/client/problem.ts';
import { filtersOf } from '@trellis/schema/resources/filters.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { formats } from '@trellis/schema/validation/formats.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { nearestName } from '@trellis/schema/values/text.ts';
import type { Api, ApiRecord } from './api.ts';
import { Collection } from './collection.ts';
import { importOf } from './destinations.ts';
import { ImportStopped, RowRejected, UsageError } from './errors.ts';
import { createClock, type LocalClock } from './instants.ts';
import { findByTitle } from './name-lookup.ts';
import { resourcesInOrder } from './order.ts';
import type { SourceRow } from './source.ts';

/** A parent of rows. */
export interface Parent {
  readonly id: string;
  /** Its name for people: a site's key, a magazine's title. */
  readonly name: string;
  /** IANA name of its time zone, in which dates without an offset are read; null where it has none. */
  readonly timeZone: string | null;
  /** BCP 47: the language of texts that name none; null where it has none. */
  readonly language: string | null;
}

/** The parent of resources that have none. */
export const noParent: Parent = { id: '', name: '', timeZone: null, language: null };

/** The resources that are parents. Each has an option, such as `--site`. */
export const parentResources: readonly Resource[] = resourcesInOrder.filter(({ name }) =>
  resourcesInOrder.some(({ parent }) => parent?.resource === name),
);

/** The clock by which dates without an offset are read. @param parent of the records; null where it is not known */
export function clockOf({ parent: declared }: Resource, parent: Parent | null): LocalClock {
  const zone = parent?.timeZone ?? null;
  const owner = zone === null || declared === null ? null : resourceByName(declared.resource).singular;
  return createClock(zone, owner);
}

/** The parents of one import. */
export class Parents {
  private readonly api: Api;
  /** By name of the parent's resource. */
  private readonly given = new Map<string, Parent>();
  /** Ids in this organization by the ids in an exported file. */
  readonly idsByFormer = new Map<string, string>();

  /**
   * Finds the parents that the options name.
   * @param options by singular of the parent's resource, such as `site`
   * @throws UsageError when an option is not applicable or names nothing; ImportStopped when the server fails
   */
  static async open(
    api: Api,
    imported: readonly Resource[],
    options: Readonly<Record<string, string>>,
  ): Promise<Parents> {
    const parents = new Parents(api);
    for (const resource of parentResources) {
      const text = options[resource.singular];
      if (text === undefined) continue;
      if (!imported.some(({ parent }) => parent?.resource === resource.name)) {
        throw new UsageError(
          `--${resource.singular} does not apply: ${imported[0]?.name} have no ${resource.singular}.`,
        );
      }
      parents.given.set(resource.name, await findParent(new Collection(api, resource, ''), text));
    }
    return parents;
  }

  private constructor(api: Api) {
    this.api = api;
  }

  /** The parent that was given for a resource; null when none was. */
  namedFor({ parent }: Resource): Parent | null {
    return this.given.get(parent?.resource ?? '') ?? null;
  }

  /** The parent of a row's record. @throws UsageError when none is given; RowRejected when it does not exist */
  async find(resource: Resource, row: SourceRow): Promise<Parent> {
    const { parent, name } = resource;
    if (parent === null) return noParent;
    const named = this.namedFor(resource);
    if (named !== null) return named;
    const declared = resourceByName(parent.resource);
    const former = row.fields.get(parent.parameter);
    if (typeof former !== 'string') {
      throw new UsageError(
        `--${declared.singular} is required: ${name} belong to a ${declared.singular}. Give its id or name.`,
      );
    }
    const id = this.idsByFormer.get(former) ?? (await this.findFormer(declared, former));
    this.idsByFormer.set(former, id);
    return { id, name: former, timeZone: null, language: null };
  }

  private async findFormer(resource: Resource, former: string): Promise<string> {
    const collection = new Collection(this.api, resource, '');
    const record = await findByKey(collection, former, []).catch((error: unknown) => {
      throw error instanceof ProblemError ? new RowRejected(error.reasons) : error;
    });
    if (record !== null) return record.id;
    throw new RowRejected([
      `It belongs to "${former}" of ${resource.name}, which is neither in this organization nor in the file.`,
    ]);
  }
}

/** The record with this id, externalId, name or title. @throws UsageError, ImportStopped */
async function findParent(collection: Collection, text: string): Promise<Parent> {
  const { resource } = collection;
  try {
    const found =
      (await findByKey(collection, text, importOf(resource).knownBy ?? [])) ??
      (await findOnlyByTitle(collection, text));
    if (found === null) throw await describeAbsent(collection, text);
    const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
    return {
      id: found.id,
      name: String(valueAt(found, nameFieldOf(resource))),
      timeZone: textOf(found.timezone),
      language: textOf(found.defaultLocale),
    };
  } catch (error) {
    throw error instanceof ProblemError ? new ImportStopped(error.message, { cause: error }) : error;
  }
}

/** @param filters fields to search besides id and externalId */
async function findByKey(
  collection: Collection,
  text: string,
  filters: readonly string[],
): Promise<ApiRecord | null> {
  const { resource } = collection;
  if (decodeId(resource.idPrefix, text) !== null) {
    const record = await collection.read(text);
    if (record !== null) return record;
  }
  for (const name of [...filters, 'externalId']) {
    const format = filtersOf(resource)[name]?.format;
    if (format !== undefined && formats[format]?.accepts(text) === false) continue;
    const record = await collection.first({ [name]: text });
    if (record !== null) return record;
  }
  return null;
}

async function findOnlyByTitle(collection: Collection, text: string): Promise<ApiRecord | null> {
  const { singular, name } = collection.resource;
  const [first, second] = await findByTitle(collection, text);
  if (second === undefined) return first === undefined ? null : collection.read(first);
  throw new UsageError(
    `--${singular}: several ${name} have the title "${text}". Give the id: ${first}, ${second}, …`,
  );
}

async function describeAbsent(collection: Collection, text: string): Promise<UsageError> {
  const { singular, path } = collection.resource;
  const nameField = nameFieldOf(collection.resource);
  const names: string[] = [];
  for await (const record of collection.list({ limit: '100', fields: nameField })) {
    names.push(String(valueAt(record, nameField)));
    if (names.length === 100) break;
  }
  if (names.length === 0) {
    return new UsageError(
      `--${singular}: the organization has no ${singular} yet. Create one: POST /v1${path}.`,
    );
  }
  const nearest = nearestName(text, names);
  const hint =
    nearest === null ? `There are: ${names.slice(0, 20).join(', ')}.` : `Did you mean "${nearest}"?`;
  return new UsageError(`--${singular}: there is no ${singular} "${text}". ${hint}`);
}

/** The field that people name a record by: its unique field, otherwise its title. */
function nameFieldOf({ unique, titleField }: Resource): string {
  return Object.keys(unique).find((name) => name !== 'externalId') ?? titleField;
}
