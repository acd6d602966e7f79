/**
 * Finds records by name and creates missing ones, once, however many rows and runs name them. A resource with slugs is
 * searched by the slug that the API would derive from the name, any other by its title.
 */

import { ProblemError } from '@trellis/client/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { findPlace, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { makeSlug } from '@trellis/schema/values/slug.ts';
import { foldText, normalizeText } from '@trellis/schema/values/text.ts';
import type { Body } from './api.ts';
import type { Collection } from './collection.ts';
import { RowRejected } from './errors.ts';
import { shortHash } from './keys.ts';

/** How many names of a collection are cached; for further ones the server is asked again. */
const mostNamesRemembered = 20_000;

/** Ids by slug or folded title; promises, so that concurrent rows share one lookup and one create. */
type Known = Map<string, Promise<string>>;

/** Records by name. */
export class NameLookup {
  /** Number of created records (in a dry run, of those that would be created), by resource. */
  readonly created = new Map<string, number>();
  private readonly dryRun: boolean;
  /** By path of the collection. */
  private readonly known = new Map<string, Promise<Known>>();
  private placeholders = 0;

  constructor(dryRun: boolean) {
    this.dryRun = dryRun;
  }

  /** The id, in a dry run, of a record that would be created: another one for each. */
  placeholderId({ idPrefix }: Resource): string {
    this.placeholders += 1;
    return `${idPrefix}_${String(this.placeholders).padStart(26, '0')}`;
  }

  /**
   * The id of the record with that name. @throws RowRejected when several have it or it cannot be created;
   * ImportStopped
   */
  async find(collection: Collection, given: string): Promise<string> {
    const { name: resourceName, singular } = collection.resource;
    const name = normalizeText(given);
    const maxLength = slugLengthOf(collection.resource);
    const key = maxLength === null ? foldText(name) : makeSlug(name, maxLength);
    if (key === '') {
      throw new RowRejected([`${resourceName}: "${given}" has no letter and no digit to make a slug of.`]);
    }
    const loading = this.known.get(collection.path) ?? loadSlugs(collection);
    this.known.set(collection.path, loading);
    const known = await loading;
    const id =
      known.get(key) ??
      (maxLength === null
        ? this.findByTitle(collection, name, key)
        : this.createBySlug(collection, name, key));
    if (known.has(key) || known.size < mostNamesRemembered) known.set(key, id);
    try {
      return await id;
    } catch (error) {
      known.delete(key);
      if (!(error instanceof ProblemError)) throw error;
      throw new RowRejected(error.reasons.map((reason) => `${singular} "${given}": ${reason}`));
    }
  }

  private async createBySlug(collection: Collection, name: string, slug: string): Promise<string> {
    try {
      return await this.create(collection, slug, { [collection.resource.titleField]: name, slug });
    } catch (error) {
      // Another client may have created it since the slugs were loaded.
      const isTaken = error instanceof ProblemError && error.code === 'conflict';
      const existing = isTaken ? await collection.first({ slug }) : null;
      if (existing === null) throw error;
      return existing.id;
    }
  }

  private async findByTitle(collection: Collection, name: string, folded: string): Promise<string> {
    const { singular, titleField } = collection.resource;
    const [first, second] = await findByTitle(collection, name);
    if (second !== undefined) {
      throw new RowRejected([`There is more than one ${singular} called "${name}". Give its id instead.`]);
    }
    if (first !== undefined) return first;
    const externalId = `import-${shortHash(`${singular} ${folded}`)}`;
    return this.create(collection, externalId, { [titleField]: name, externalId });
  }

  private async create(collection: Collection, key: string, body: Body): Promise<string> {
    const { resource } = collection;
    const made = this.dryRun ? null : await collection.create(key, body);
    if (made?.isNew !== false) this.created.set(resource.name, (this.created.get(resource.name) ?? 0) + 1);
    return made === null ? this.placeholderId(resource) : made.record.id;
  }
}

/** Loads all slugs of a collection at once; titles are looked up one by one. */
async function loadSlugs(collection: Collection): Promise<Known> {
  const known: Known = new Map();
  if (slugLengthOf(collection.resource) === null) return known;
  for await (const { id, slug } of collection.list({ limit: '100', fields: 'slug' })) {
    known.set(String(slug), Promise.resolve(String(id)));
  }
  return known;
}

/** Ids of records with this title, ignoring letter case and accents; at most two. */
export async function findByTitle(collection: Collection, title: string): Promise<string[]> {
  const { titleField } = collection.resource;
  const folded = foldText(normalizeText(title));
  const search = Array.from(title).slice(0, limits.searchText.max).join('');
  const ids: string[] = [];
  for await (const record of collection.list({ search, limit: '100', fields: titleField })) {
    if (foldText(normalizeText(String(record[titleField]))) === folded) ids.push(String(record.id));
    if (ids.length > 1) break;
  }
  return ids;
}

/** Maximum length of the slug by which a resource is looked up; null when it has none. */
function slugLengthOf(resource: Resource): number | null {
  if (!('slug' in resource.unique)) return null;
  return Number((findPlace(resource, 'slug')?.field.schema as JsonSchema | undefined)?.maxLength);
}
