/**
 * Why: one row becomes one record: its cells become a body that the API's own rules accept, its names become ids, its key
 * says which record it is, and the writer brings that record to what the row says.
 */
import { canonicalizeJson } from '../../../lib/canonical-json.ts';
import { normalizeText } from '../../../lib/text.ts';
import { innerReferences } from '../../../pipeline/values.ts';
import { categories } from '../../../resources/categories.ts';
import { flattenFields, type Resource } from '../../../resources/resource.ts';
import { tags } from '../../../resources/tags.ts';
import type { ApiClient } from '../../api-client.ts';
import { checkBody, nest } from '../body.ts';
import { Creator } from '../creator.ts';
import { LinkResolver } from '../links.ts';
import { orStop } from '../run.ts';
import { type Link, RowRejected } from '../targets.ts';
import { type RowOutcome, Writer } from '../writer.ts';
import { type BuiltRow, buildRow } from './build-row.ts';
import { Claims } from './claims.ts';
import { type DecisionOptions, decide, statusOf, type TableImportRow } from './decide.ts';
import { deriveRowKey, uniqueValues } from './identity.ts';
import type { TableMapping } from './mapping.ts';
import type { Parents } from './parents.ts';
import { References } from './references.ts';
import type { TableRow } from './source.ts';

interface RowOptions extends DecisionOptions {
  readonly dryRun: boolean;
}

/** A collection below one parent, and what writes to it. */
interface Collection {
  readonly creator: Creator;
  readonly links: LinkResolver;
  readonly writer: Writer<TableImportRow>;
}

/** A row up to where the server has to be asked. */
interface PreparedRow {
  readonly built: BuiltRow;
  readonly status: string | null;
  readonly externalId: string;
  readonly unique: readonly string[];
}

/** Writes rows of tables. */
export class RowImporter {
  private readonly client: ApiClient;
  private readonly parents: Parents;
  private readonly options: RowOptions;
  private readonly references: References;
  private readonly claims = new Map<Resource, Claims>();
  private readonly collections = new Map<string, Promise<Collection>>();
  private readonly linkResolvers: LinkResolver[] = [];

  constructor(client: ApiClient, parents: Parents, options: RowOptions) {
    this.client = client;
    this.parents = parents;
    this.options = options;
    this.references = new References({ dryRun: options.dryRun, idsByFormer: parents.idsByFormer });
  }

  /** Records that were created because rows name them, by resource. */
  linked(): Map<string, number> {
    const all = new Map(this.references.created);
    for (const { created } of this.linkResolvers) {
      for (const [name, count] of created) all.set(name, (all.get(name) ?? 0) + count);
    }
    return all;
  }

  /** Brings one row to its end. @throws RowRejected, NotThereYet, ImportStopped */
  async write(
    resource: Resource,
    mapping: TableMapping,
    row: TableRow,
  ): Promise<Omit<RowOutcome, 'recordId'>> {
    const isExported = row.fields.get('resource') === resource.name;
    const parentId = await this.parents.find(resource, row);
    const prepared = prepareRow(resource, mapping, row, parentId, isExported);
    const { built, externalId, unique, status } = prepared;
    const content = canonicalizeJson([...built.values].map(([name, value]) => [name, value ?? null]));
    const claims = this.claims.get(resource) ?? new Claims();
    this.claims.set(resource, claims);
    const claim = await claims.claim(row.place, externalId, unique, `${status} ${content}`);
    if (claim.kind === 'taken') {
      throw new RowRejected([
        claim.what === 'the same record'
          ? `Stands for the same record as ${claim.place} and differs from it. Remove one of the two, or name a column that tells them apart with --key.`
          : `${claim.what} is that of ${claim.place} too, and no two records may have it.`,
      ]);
    }
    if (claim.kind === 'repeated') {
      return {
        result: 'unchanged',
        mendings: [...built.mendings, 'rows that repeat an earlier one left out'],
      };
    }
    let isAccepted = false;
    try {
      const outcome = await this.writeFirst(resource, row, parentId, prepared, isExported);
      isAccepted = true;
      return outcome;
    } finally {
      claim.settle(isAccepted);
    }
  }

  private async writeFirst(
    resource: Resource,
    row: TableRow,
    parentId: string,
    { built, externalId, status }: PreparedRow,
    isExported: boolean,
  ): Promise<RowOutcome> {
    const { creator, writer } = await this.openCollection(resource, parentId);
    const left = await this.references.resolve(resource, built.values, creator, isExported);
    const faults: string[] = [];
    const statusField = statusOf(resource);
    if (statusField !== null && status !== null && statusField.moves.initial.includes(status)) {
      built.values.set(statusField.name, status);
    }
    built.values.set('externalId', externalId);
    const body = checkBody(resource, nest([...built.values]), faults);
    if (faults.length > 0) throw new RowRejected(faults);
    const former = row.fields.get('id');
    const formerId = isExported && typeof former === 'string' ? former : null;
    const outcome = await writer.write({
      place: row.place,
      externalId,
      ...(formerId === null ? {} : { formerId }),
      body,
      links: linksOf(built),
      mendings: [...built.mendings, ...left],
      status,
    });
    if (formerId !== null) {
      this.parents.idsByFormer.set(formerId, outcome.recordId ?? `${resource.idPrefix}_${'0'.repeat(26)}`);
    }
    return outcome;
  }

  private openCollection(resource: Resource, parentId: string): Promise<Collection> {
    const key = `${resource.name} ${parentId}`;
    const known = this.collections.get(key);
    if (known !== undefined) return known;
    const opened = this.open(resource, parentId);
    this.collections.set(key, opened);
    return opened;
  }

  private async open(resource: Resource, parentId: string): Promise<Collection> {
    const creator = new Creator(this.client, parentId);
    const links = new LinkResolver(creator, this.options.dryRun);
    this.linkResolvers.push(links);
    const profile = {
      resource,
      decide: (record: Readonly<Record<string, unknown>>, row: TableImportRow) =>
        decide(resource, record, row, this.options),
    };
    const writer = new Writer<TableImportRow>(profile, creator, links, this.options.dryRun);
    await orStop(writer.prepare());
    return { creator, links, writer };
  }
}

/** What can be said of a row without asking the server. @throws RowRejected */
function prepareRow(
  resource: Resource,
  mapping: TableMapping,
  row: TableRow,
  parentId: string,
  isExported: boolean,
): PreparedRow {
  const built = buildRow(resource, mapping.map(row, isExported));
  const { values, faults } = built;
  const status = takeStatus(resource, values, faults);
  const given = values.get('externalId') ?? (isExported ? row.fields.get('id') : undefined);
  const body = checkBody(resource, nest([...values].filter(([name]) => !refers(resource, name))), faults);
  if (faults.length > 0) throw new RowRejected(faults);
  const externalId =
    typeof given === 'string' ? normalizeText(given) : deriveRowKey(resource, parentId, body);
  if (externalId === null) {
    throw new RowRejected([
      'Nothing in the row tells its record from others. Name a column that does with --key.',
    ]);
  }
  return { built, status, externalId, unique: uniqueValues(resource, parentId, body) };
}

/** The status that a row gives; one that there is not stays in the values, for the rules of the API to name. */
function takeStatus(resource: Resource, values: Map<string, unknown>, faults: string[]): string | null {
  const field = statusOf(resource);
  if (field === null) return null;
  const status = values.get(field.name);
  if (typeof status !== 'string') return null;
  if (!(status in field.moves.allowed)) {
    faults.push(`${field.name}: "${status}" is none of ${Object.keys(field.moves.allowed).join(', ')}.`);
  }
  values.delete(field.name);
  return status;
}

/** Whether a field holds ids: those are checked once they are ids of this organization. */
function refers(resource: Resource, name: string): boolean {
  const field = flattenFields(resource).find(([known]) => known === name)?.[1];
  return field !== undefined && (field.reference !== null || innerReferences(field).length > 0);
}

function linksOf({ names }: BuiltRow): Link[] {
  return [...names].map(([name, list]) =>
    name === 'tags'
      ? { field: 'articleData.tagIds', resource: tags, names: list }
      : { field: 'articleData.categoryIds', resource: categories, names: list },
  );
}
