/**
 * Finds records by name and creates missing ones, once, however many rows and runs name them. A resource with slugs is
 * searched by the slug that the API would derive from the name, any other by its title.
 */

import { ProblemError } from '@trellis/client/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { findPlace } from '@trellis/schema/resources/places.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { isSlug, makeSlug } from '@trellis/schema/values/slug.ts';
import { foldText, normalizeText } from '@trellis/schema/values/text.ts';
import type { Body } from './api.ts';
import type { Collection } from './collection.ts';
import { RowRejected } from './errors.ts';
import { shortHash } from './keys.ts';
import { idInName } from './tables/cells.ts';

/** How many names of a collection are cached; for further ones the server is asked again. */
const mostNamesRemembered = 20_000;

/** A name of another record, also with the slug that it has in the source. */
export type Named = string | { readonly name: string; readonly slug: string };

/** Ids by slug or folded title; promises, so that concurrent rows share one lookup and one create. */
type Known = Map<string, Promise<string>>;

/** Records by name. */
export class NameLookup {
  /** Number of created records (in a dry run, of those that would be created), by resource. */
  readonly created = new Map<string, number>();
  /** Names, or slugs, by id, of records that were found or created. */
  private readonly names = new Map<string, string>();
  private readonly dryRun: boolean;
  private readonly importId: string;
  /** By path of the collection. */
  private readonly known = new Map<string, Promise<Known>>();
  private placeholders = 0;

  /** @param options `importId`: of the records that are created */
  constructor({ dryRun, importId }: { readonly dryRun: boolean; readonly importId: string }) {
    this.dryRun = dryRun;
    this.importId = importId;
  }

  /** The id, in a dry run, of a record that would be created: another one for each. */
  placeholderId({ idPrefix }: Resource): string {
    this.placeholders += 1;
    return `${idPrefix}_${String(this.placeholders).padStart(26, '0')}`;
  }

  /** A text with names in place of the ids of records that are known. */
  withNames(text: string): string {
    return text.replaceAll(/\b[a-z]+_[0-9a-z]{26}\b/g, (id) => this.names.get(id) ?? id);
  }

  /**
   * The id of the record with that name; null when there is none yet. Nothing is created.
   * @throws RowRejected when several have it; ImportStopped
   */
  async peek(collection: Collection, given: Named): Promise<string | null> {
    const stated = statedId(collection, given);
    if (stated !== null) return stated;
    const { name, key, maxLength } = readName(collection, given);
    const found = await (await this.knownIn(collection)).get(key);
    if (found !== undefined || maxLength !== null) return found ?? null;
    return findOnlyByTitle(collection, name);
  }

  /**
   * The id of the record with that name. @throws RowRejected when several have it or it cannot be created;
   * ImportStopped
   */
  async find(collection: Collection, given: Named): Promise<string> {
    const stated = statedId(collection, given);
    if (stated !== null) return stated;
    const { singular } = collection.resource;
    const { name, key, maxLength } = readName(collection, given);
    const known = await this.knownIn(collection);
    const id =
      known.get(key) ??
      (maxLength === null
        ? this.findByTitle(collection, name, key)
        : this.createBySlug(collection, name, key));
    if (known.has(key) || known.size < mostNamesRemembered) known.set(key, id);
    try {
      const found = await id;
      if (this.names.has(found) || this.names.size < mostNamesRemembered) this.names.set(found, name);
      return found;
    } catch (error) {
      known.delete(key);
      if (!(error instanceof ProblemError)) throw error;
      throw new RowRejected(
        error.reasons.map(
          (reason) => `${singular} "${typeof given === 'string' ? given : given.name}": ${reason}`,
        ),
      );
    }
  }

  /** Remembers a record that a row became, so that later rows find it, also in a dry run. */
  async note(collection: Collection, slug: unknown, id: string | null): Promise<void> {
    if (typeof slug !== 'string' || slugLengthOf(collection.resource) === null) return;
    const known = await this.knownIn(collection);
    if (known.size >= mostNamesRemembered || (id === null && known.has(slug))) return;
    known.set(slug, Promise.resolve(id ?? this.placeholderId(collection.resource)));
  }

  /** The id of a record that is known by its slug; undefined when it is not. */
  async findBySlug(collection: Collection, slug: string): Promise<string | undefined> {
    if (slugLengthOf(collection.resource) === null) return undefined;
    return (await this.knownIn(collection)).get(slug);
  }

  /** The ids of a collection by what their names are compared by. */
  private knownIn(collection: Collection): Promise<Known> {
    const loading = this.known.get(collection.path) ?? loadSlugs(collection, this.names);
    this.known.set(collection.path, loading);
    return loading;
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
    const found = await findOnlyByTitle(collection, name);
    if (found !== null) return found;
    const externalId = `import-${shortHash(`${singular} ${folded}`)}`;
    return this.create(collection, externalId, { [titleField]: name, externalId });
  }

  private async create(collection: Collection, key: string, body: Body): Promise<string> {
    const { resource } = collection;
    const { importId } = this;
    const made = this.dryRun ? null : await collection.create(key, { ...body, importId }).catch(readOwner);
    if (typeof made === 'string') return made;
    if (made?.isNew !== false) this.created.set(resource.name, (this.created.get(resource.name) ?? 0) + 1);
    return made === null ? this.placeholderId(resource) : made.record.id;
  }
}

/** The id behind a name, as in tables for people; null without one. */
function statedId({ resource }: Collection, given: Named): string | null {
  return typeof given === 'string' ? idInName(given, resource.idPrefix) : null;
}

/** A name with what it is compared by: a slug, or the folded text. @throws RowRejected when there is none */
function readName(collection: Collection, named: Named) {
  const [given, slug] = typeof named === 'string' ? [named, ''] : [named.name, named.slug];
  const name = normalizeText(given);
  const maxLength = slugLengthOf(collection.resource);
  const isKey = maxLength !== null && isSlug(slug);
  const key = isKey
    ? slug
    : maxLength === null
      ? foldText(name)
      : makeSlug(name, maxLength, collection.language);
  if (key !== '') return { name, key, maxLength };
  throw new RowRejected([
    `${collection.resource.name}: "${given}" has no letter and no digit to make a slug of.`,
  ]);
}

/** The id of the record with a title; null without one. @throws RowRejected when several have it */
async function findOnlyByTitle(collection: Collection, name: string): Promise<string | null> {
  const [first, second] = await findByTitle(collection, name);
  if (second === undefined) return first ?? null;
  const { singular } = collection.resource;
  throw new RowRejected([`There is more than one ${singular} called "${name}". Give its id instead.`]);
}

/** The id of the record that another import has created under the same externalId in the meantime. @throws the error when there is none */
function readOwner(error: unknown): string {
  const members = error instanceof ProblemError && error.code === 'conflict' ? error.members : {};
  if (members.field === 'externalId' && typeof members.existingId === 'string') return members.existingId;
  throw error;
}

/** Loads all slugs of a collection at once; titles are looked up one by one. */
async function loadSlugs(collection: Collection, names: Map<string, string>): Promise<Known> {
  const known: Known = new Map();
  if (slugLengthOf(collection.resource) === null) return known;
  for await (const { id, slug } of collection.list({ limit: '100', fields: 'slug' })) {
    known.set(String(slug), Promise.resolve(String(id)));
    if (names.size < mostNamesRemembered) names.set(String(id), String(slug));
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
