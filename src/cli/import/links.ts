/**
 * Why: a source names tags and categories, the API wants ids. Each name is looked up by its slug, as the API would
 * make it, and what is absent is created once, however many rows and runs name it.
 */
import { isPlainObject } from '../../lib/plain-object.ts';
import { makeSlug } from '../../lib/slug.ts';
import { normalizeText } from '../../lib/text.ts';
import type { Resource } from '../../resources/resource.ts';
import { RefusedError } from '../api-client.ts';
import type { Creator } from './creator.ts';
import { type Link, RowRejected } from './targets.ts';

/** Stands in a dry run for the id of a record that would be created. */
export const idToCome = 'to be created';

const longestSlug = 120;

/** The records of one site that rows refer to by name. */
export class LinkResolver {
  private readonly creator: Creator;
  private readonly dryRun: boolean;
  /** Ids by slug, per resource; a promise, so that rows side by side share one look-up and one create. */
  private readonly known = new Map<Resource, Promise<Map<string, Promise<string>>>>();
  private readonly counts = new Map<string, number>();

  constructor(creator: Creator, dryRun: boolean) {
    this.creator = creator;
    this.dryRun = dryRun;
  }

  /** How many records were created (or would be, in a dry run), by resource. */
  get created(): ReadonlyMap<string, number> {
    return this.counts;
  }

  /** Ids for the names, in order, each once. @throws RowRejected, ImportStopped */
  async resolve({ resource, names }: Link): Promise<string[]> {
    const known = this.known.get(resource) ?? this.load(resource);
    this.known.set(resource, known);
    const bySlug = await known;
    const ids: string[] = [];
    for (const name of names) ids.push(await this.resolveName(resource, bySlug, name));
    return [...new Set(ids)];
  }

  private async load(resource: Resource): Promise<Map<string, Promise<string>>> {
    const bySlug = new Map<string, Promise<string>>();
    const records = this.creator.client.list(this.creator.pathOf(resource), { limit: '100', fields: 'slug' });
    for await (const { id, slug } of records) bySlug.set(String(slug), Promise.resolve(String(id)));
    return bySlug;
  }

  private async resolveName(
    resource: Resource,
    bySlug: Map<string, Promise<string>>,
    given: string,
  ): Promise<string> {
    const name = normalizeText(given);
    const slug = makeSlug(name, longestSlug);
    if (slug === '') {
      throw new RowRejected([`${resource.name}: "${given}" has no letter and no digit to make a slug of.`]);
    }
    const id = bySlug.get(slug) ?? this.create(resource, name, slug);
    bySlug.set(slug, id);
    try {
      return await id;
    } catch (error) {
      bySlug.delete(slug);
      if (error instanceof RefusedError) {
        throw new RowRejected(error.reasons.map((reason) => `${resource.singular} "${given}": ${reason}`));
      }
      throw error;
    }
  }

  private async create(resource: Resource, name: string, slug: string): Promise<string> {
    if (!this.dryRun) {
      try {
        const { record, isNew } = await this.creator.create(resource, slug, { name, slug });
        if (isNew) this.count(resource);
        return record.id;
      } catch (error) {
        const existing = await this.findExisting(resource, slug, error);
        if (existing !== null) return existing;
        throw error;
      }
    }
    this.count(resource);
    return idToCome;
  }

  /** Somebody else may have created it since the look-up. */
  private async findExisting(resource: Resource, slug: string, error: unknown): Promise<string | null> {
    if (!(error instanceof RefusedError) || error.code !== 'conflict') return null;
    const query = new URLSearchParams({ slug, limit: '1', fields: 'slug' });
    const { body } = await this.creator.client.get(`${this.creator.pathOf(resource)}?${query}`);
    const items: unknown = isPlainObject(body) ? body.items : undefined;
    const [found] = Array.isArray(items) ? items.filter(isPlainObject) : [];
    return typeof found?.id === 'string' ? found.id : null;
  }

  private count(resource: Resource): void {
    this.counts.set(resource.name, (this.counts.get(resource.name) ?? 0) + 1);
  }
}
