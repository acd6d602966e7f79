/**
 * Finds records by name and creates missing ones, once, however many rows and runs name them. A resource with slugs is
 * searched by the slug that the API would derive from the name, any other by its title.
 */

import { ProblemError } from '@trellis/client/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { makeSlug } from '@trellis/schema/values/slug.ts';
import { foldText, normalizeText } from '@trellis/schema/values/text.ts';
import type { Collections } from './collections.ts';
import { RowRejected } from './errors.ts';
import { shortHash } from './keys.ts';

/** How many names of a collection are cached; for further ones the server is asked again. */
const mostNamesRemembered = 20_000;

/** Ids by slug or folded title; promises, so that concurrent rows share one lookup and one create. */
type Known = Map<string, Promise<string>>;

/** The id, in a dry run, of a record that would be created. */
export function placeholderId({ idPrefix }: Resource): string {
  return `${idPrefix}_${'0'.repeat(26)}`;
}

/** Records by name. */
export class NameLookup {
  /** Number of created records (in a dry run, of those that would be created), by resource. */
  readonly created = new Map<string, number>();
  private readonly dryRun: boolean;
  private readonly known = new Map<string, Promise<Known>>();

  constructor(dryRun: boolean) {
    this.dryRun = dryRun;
  }

  /**
   * The id of the record with that name. @throws RowRejected when several have it or it cannot be created;
   * ImportStopped
   */
  async find(resource: Resource, collections: Collections, given: string): Promise<string> {
    const name = normalizeText(given);
    const maxLength = slugLengthOf(resource);
    const key = maxLength === null ? foldText(name) : makeSlug(name, maxLength);
    if (key === '') {
      throw new RowRejected([`${resource.name}: "${given}" has no letter and no digit to make a slug of.`]);
    }
    const known = await this.load(resource, collections);
    const id =
      known.get(key) ??
      (maxLength === null
        ? this.findByTitle(resource, collections, name, key)
        : this.createBySlug(resource, collections, name, key));
    if (known.has(key) || known.size < mostNamesRemembered) known.set(key, id);
    try {
      return await id;
    } catch (error) {
      known.delete(key);
      if (!(error instanceof ProblemError)) throw error;
      throw new RowRejected(error.reasons.map((reason) => `${resource.singular} "${given}": ${reason}`));
    }
  }

  /** Loads all slugs of a collection at once; titles are looked up one by one. */
  private load(resource: Resource, collections: Collections): Promise<Known> {
    const path = collections.pathOf(resource);
    const loaded = this.known.get(path) ?? this.readSlugs(resource, collections);
    this.known.set(path, loaded);
    return loaded;
  }

  private async readSlugs(resource: Resource, collections: Collections): Promise<Known> {
    const known: Known = new Map();
    if (slugLengthOf(resource) === null) return known;
    const records = collections.api.list(collections.pathOf(resource), { limit: '100', fields: 'slug' });
    for await (const { id, slug } of records) known.set(String(slug), Promise.resolve(String(id)));
    return known;
  }

  private async createBySlug(
    resource: Resource,
    collections: Collections,
    name: string,
    slug: string,
  ): Promise<string> {
    try {
      return await this.create(resource, collections, slug, { [resource.titleField]: name, slug });
    } catch (error) {
      // Another client may have created it since the slugs were loaded.
      const isTaken = error instanceof ProblemError && error.code === 'conflict';
      const existing = isTaken ? await collections.first(resource, { slug }) : null;
      if (existing === null) throw error;
      return existing.id;
    }
  }

  private async findByTitle(
    resource: Resource,
    collections: Collections,
    name: string,
    folded: string,
  ): Promise<string> {
    const [first, second] = await findByTitle(resource, collections, name);
    if (second !== undefined) {
      throw new RowRejected([
        `There is more than one ${resource.singular} called "${name}". Give its id instead.`,
      ]);
    }
    if (first !== undefined) return first;
    const externalId = `import-${shortHash(`${resource.singular} ${folded}`)}`;
    return this.create(resource, collections, externalId, { [resource.titleField]: name, externalId });
  }

  private async create(
    resource: Resource,
    collections: Collections,
    key: string,
    body: Readonly<Record<string, unknown>>,
  ): Promise<string> {
    const made = this.dryRun ? null : await collections.create(resource, key, body);
    if (made?.isNew !== false) this.created.set(resource.name, (this.created.get(resource.name) ?? 0) + 1);
    return made === null ? placeholderId(resource) : made.record.id;
  }
}

/** Ids of records with this title, ignoring letter case and accents; at most two. */
export async function findByTitle(
  resource: Resource,
  collections: Collections,
  title: string,
): Promise<string[]> {
  const folded = foldText(normalizeText(title));
  const search = Array.from(title).slice(0, limits.searchText.max).join('');
  const query = { search, limit: '100', fields: resource.titleField };
  const ids: string[] = [];
  for await (const record of collections.api.list(collections.pathOf(resource), query)) {
    if (foldText(normalizeText(String(record[resource.titleField]))) === folded) ids.push(String(record.id));
    if (ids.length > 1) break;
  }
  return ids;
}

/** Maximum length of the slug by which a resource is looked up; null when it has none. */
function slugLengthOf(resource: Resource): number | null {
  if (!('slug' in resource.unique)) return null;
  const field = flattenFields(resource).find(([name]) => name === 'slug')?.[1];
  return Number((field?.schema as JsonSchema | undefined)?.maxLength);
}
