/**
 * Why: rows name other records by what the source knows them by: its own keys, the ids of another organization, the name
 * of a company. The API wants ids of this organization; each name is looked up once, and nothing is guessed.
 */
import { createHash } from 'node:crypto';
import { decodeId } from '../../../lib/ids.ts';
import { isPlainObject } from '../../../lib/plain-object.ts';
import { foldText, normalizeText } from '../../../lib/text.ts';
import { innerReferences, prefixOf } from '../../../pipeline/values.ts';
import { companies } from '../../../resources/companies.ts';
import { resourceByName } from '../../../resources/index.ts';
import { flattenFields, type Resource } from '../../../resources/resource.ts';
import type { Creator } from '../creator.ts';
import { RowRejected } from '../targets.ts';

/** Resources whose records a file of an export cannot bring along. */
const notExported = new Set(['users', 'knowledge-files']);
/** Names that are remembered; beyond them the server is asked again. */
const mostNamesRemembered = 20_000;
const longestSearch = 200;

/** The record that a row refers to may stand further down in the same file. */
export class NotThereYet extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

export interface ReferenceOptions {
  readonly dryRun: boolean;
  /** Ids in this organization by those in the exported file. */
  readonly idsByFormer: ReadonlyMap<string, string>;
}

/** Puts ids of this organization where rows name records otherwise. */
export class References {
  private readonly options: ReferenceOptions;
  private readonly companyIds = new Map<string, Promise<string>>();
  private createdCompanies = 0;

  constructor(options: ReferenceOptions) {
    this.options = options;
  }

  /** Companies that were created (or would be, in a dry run) because rows name them. */
  get created(): ReadonlyMap<string, number> {
    return new Map(this.createdCompanies === 0 ? [] : [['companies', this.createdCompanies]]);
  }

  /**
   * Replaces names in values by ids.
   * @returns what was left out, in words
   * @throws RowRejected when a name names nothing; NotThereYet when it may come
   */
  async resolve(
    resource: Resource,
    values: Map<string, unknown>,
    creator: Creator,
    isExported: boolean,
  ): Promise<string[]> {
    const left: string[] = [];
    const toId = async (name: string, target: string, text: unknown) => {
      if (isExported && notExported.has(target)) {
        left.push(`${name} left out: an export has no ${target}`);
        return undefined;
      }
      return typeof text === 'string' ? this.findId(resource, name, target, text, creator, isExported) : text;
    };
    for (const [name, field] of flattenFields(resource)) {
      const value = values.get(name);
      if (value === undefined || value === null) continue;
      if (field.reference !== null) {
        const { resource: target } = field.reference;
        const ids = Array.isArray(value)
          ? (await inOrder(value, (item) => toId(name, target, item))).filter((id) => id !== undefined)
          : await toId(name, target, value);
        if (ids === undefined) values.delete(name);
        else values.set(name, ids);
      } else if (Array.isArray(value)) {
        const inner = innerReferences(field);
        if (inner.length === 0) continue;
        const items = await inOrder(value, async (item: unknown) => {
          const copy: Record<string, unknown> = isPlainObject(item) ? { ...item } : {};
          if (resource.name === 'contacts' && name === 'companies') await this.nameCompany(copy, creator);
          for (const { key, resource: target } of inner) {
            if (typeof copy[key] === 'string') copy[key] = await toId(`${name}.${key}`, target, copy[key]);
            if (copy[key] === undefined) delete copy[key];
          }
          return isPlainObject(item) ? copy : item;
        });
        values.set(name, items);
      }
    }
    return [...new Set(left)];
  }

  private async findId(
    resource: Resource,
    name: string,
    target: string,
    text: string,
    creator: Creator,
    isExported: boolean,
  ): Promise<string> {
    const known = this.options.idsByFormer.get(text);
    if (known !== undefined) return known;
    if (notExported.has(target)) return text;
    const isId = decodeId(prefixOf(target), text) !== null;
    if (isId && !isExported) return text;
    const declared = resourceByName(target);
    // Records below another parent than the row's cannot be listed here.
    if (declared.parent !== null && declared.parent.resource !== resource.parent?.resource) {
      if (isId) return text;
      throw new RowRejected([`${name}: "${text}" is no id of ${target}.`]);
    }
    for await (const { id } of creator.client.list(creator.pathOf(declared), {
      externalId: text,
      limit: '1',
    })) {
      return String(id);
    }
    if (isId && (await creator.read(declared, text)) !== null) return text;
    const reason = `${name}: "${text}" is neither the id nor the externalId of a record of ${target} here.`;
    if (target === resource.name) throw new NotThereYet(reason);
    throw new RowRejected([reason]);
  }

  /** Turns the name of a company into its id. */
  private async nameCompany(item: Record<string, unknown>, creator: Creator): Promise<void> {
    const { name, ...rest } = item;
    if (typeof name !== 'string' || rest.companyId !== undefined) return;
    delete item.name;
    const key = normalizeText(name);
    const folded = foldText(key);
    const id = this.companyIds.get(folded) ?? this.findCompany(key, creator);
    if (this.companyIds.size < mostNamesRemembered) this.companyIds.set(folded, id);
    try {
      item.companyId = await id;
    } catch (error) {
      this.companyIds.delete(folded);
      throw error;
    }
  }

  private async findCompany(name: string, creator: Creator): Promise<string> {
    const path = creator.pathOf(companies);
    const folded = foldText(name);
    const found: string[] = [];
    const search = Array.from(name).slice(0, longestSearch).join('');
    for await (const company of creator.client.list(path, { search, limit: '100', fields: 'name' })) {
      if (foldText(normalizeText(String(company.name))) === folded) found.push(String(company.id));
      if (found.length > 1) break;
    }
    const [first, second] = found;
    if (second !== undefined) {
      throw new RowRejected([
        `companies: There is more than one company called "${name}". Use companies.companyId.`,
      ]);
    }
    if (first !== undefined) return first;
    this.createdCompanies += 1;
    if (this.options.dryRun) return `${companies.idPrefix}_${'0'.repeat(26)}`;
    const externalId = `import-${createHash('sha256').update(`company ${folded}`).digest('hex').slice(0, 32)}`;
    const { record, isNew } = await creator.create(companies, externalId, { name, externalId });
    if (!isNew) this.createdCompanies -= 1;
    return record.id;
  }
}

async function inOrder<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
