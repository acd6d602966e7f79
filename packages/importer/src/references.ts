/**
 * Resolves references of rows to ids of this organization: from names, from the keys of the source, or from the ids of the
 * organization that was exported. Nothing is guessed.
 */

import type { Field } from '@trellis/schema/resources/fields.ts';
import { resourceByName, resources } from '@trellis/schema/resources/index.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { innerReferences, prefixOf } from '@trellis/schema/validation/values.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { BuiltRecord } from './build-record.ts';
import type { Collections } from './collections.ts';
import { importOf } from './destinations.ts';
import { PendingReference, RowRejected } from './errors.ts';
import type { NameLookup } from './name-lookup.ts';

/** The record with the references. */
export interface Referrer {
  readonly resource: Resource;
  readonly collections: Collections;
  /** Whether the row is a record of an export, whose ids may be those of another organization. */
  readonly isExported: boolean;
}

/** Resolves references of rows. */
export class References {
  private readonly lookup: NameLookup;
  private readonly idsByFormer: ReadonlyMap<string, string>;

  /** @param idsByFormer ids in this organization by the ids in the exported file */
  constructor(lookup: NameLookup, idsByFormer: ReadonlyMap<string, string>) {
    this.lookup = lookup;
    this.idsByFormer = idsByFormer;
  }

  /**
   * Replaces names in the values of a record with ids.
   * @returns the references that were dropped, for the report
   * @throws RowRejected for an unknown name; PendingReference when the record may still be imported
   */
  async resolve(referrer: Referrer, { values, names }: BuiltRecord): Promise<string[]> {
    const repairs: string[] = [];
    await this.resolveNames(referrer, names, values);
    for (const [name, field] of flattenFields(referrer.resource)) {
      const value = values.get(name);
      if (value === undefined || value === null) continue;
      if (field.reference !== null) {
        if (this.isNamed(referrer, name, names)) continue;
        const ids = await this.resolveIds(referrer, name, field.reference.resource, value, repairs);
        if (ids === undefined) values.delete(name);
        else values.set(name, ids);
      } else if (Array.isArray(value) && innerReferences(field).length > 0) {
        const items: unknown[] = [];
        for (const item of value) items.push(await this.resolveItem(referrer, name, field, item, repairs));
        values.set(name, items);
      }
    }
    return [...new Set(repairs)];
  }

  /** Whether the ids were just looked up and need no further lookup. */
  private isNamed({ resource }: Referrer, field: string, names: BuiltRecord['names']): boolean {
    const lookups = Object.entries(importOf(resource).lookups ?? {});
    return lookups.some(([input, lookup]) => lookup.field === field && names.has(input));
  }

  private async resolveNames(
    { resource, collections }: Referrer,
    names: BuiltRecord['names'],
    values: Map<string, unknown>,
  ): Promise<void> {
    const fields = new Map(flattenFields(resource));
    const lookups = Object.entries(importOf(resource).lookups ?? {}).flatMap(([input, lookup]) => {
      const given = names.get(input);
      return given === undefined ? [] : [{ input, given, ...lookup }];
    });
    // Checked first, so that nothing is created for a row with too many names.
    const faults = lookups.flatMap(({ input, given, field }) => {
      const most = Number((fields.get(field)?.schema as JsonSchema | undefined)?.maxItems);
      return given.length > most ? [`${input}: Must have at most ${most} items.`] : [];
    });
    if (faults.length > 0) throw new RowRejected(faults);
    for (const { given, field, resource: named } of lookups) {
      const ids: string[] = [];
      for (const name of given) {
        ids.push(await this.lookup.find(resourceByName(named), collections, name));
      }
      values.set(field, [...new Set(ids)]);
    }
  }

  /** Resolves the ids in a field; undefined when the whole field is dropped. */
  private async resolveIds(
    referrer: Referrer,
    name: string,
    target: string,
    value: unknown,
    repairs: string[],
  ): Promise<unknown> {
    if (!Array.isArray(value)) return this.resolveId(referrer, name, target, value, repairs);
    const ids: unknown[] = [];
    for (const item of value) ids.push(await this.resolveId(referrer, name, target, item, repairs));
    return ids.filter((id) => id !== undefined);
  }

  /** Resolves the ids in the members of a list item. */
  private async resolveItem(
    referrer: Referrer,
    name: string,
    field: Field,
    item: unknown,
    repairs: string[],
  ): Promise<unknown> {
    if (!isPlainObject(item)) return item;
    const copy: Record<string, unknown> = { ...item };
    await this.resolveNamedMembers(referrer, name, copy);
    for (const { key, resource: target } of innerReferences(field)) {
      if (typeof copy[key] === 'string') {
        copy[key] = await this.resolveId(referrer, `${name}.${key}`, target, copy[key], repairs);
      }
      if (copy[key] === undefined) delete copy[key];
    }
    return copy;
  }

  /** Resolves the name in an item, such as that of a company, unless the item has an id. */
  private async resolveNamedMembers(
    { resource, collections }: Referrer,
    list: string,
    item: Record<string, unknown>,
  ): Promise<void> {
    for (const [input, { resource: named, field }] of Object.entries(importOf(resource).lookups ?? {})) {
      if (!input.startsWith(`${list}.`)) continue;
      const [nameKey, idKey] = [input.slice(list.length + 1), field.slice(list.length + 1)];
      const name = item[nameKey];
      if (typeof name !== 'string' || item[idKey] !== undefined) continue;
      delete item[nameKey];
      item[idKey] = await this.lookup.find(resourceByName(named), collections, name);
    }
  }

  /** Resolves one id; undefined when the reference is dropped. */
  private async resolveId(
    referrer: Referrer,
    name: string,
    target: string,
    text: unknown,
    repairs: string[],
  ): Promise<unknown> {
    const declared = resources.find((resource) => resource.name === target);
    const isExportable = declared !== undefined && importOf(declared).withoutContent !== true;
    if (referrer.isExported && !isExportable) {
      repairs.push(`${name} dropped: exports do not contain ${target}`);
      return undefined;
    }
    if (typeof text !== 'string') return text;
    const known = this.idsByFormer.get(text);
    if (known !== undefined) return known;
    return isExportable ? this.findId(referrer, name, declared, text) : text;
  }

  private async findId(
    { resource, collections, isExported }: Referrer,
    name: string,
    target: Resource,
    text: string,
  ): Promise<string> {
    const isId = decodeId(prefixOf(target.name), text) !== null;
    if (isId && !isExported) return text;
    // Records of another parent than the row's cannot be listed here.
    if (target.parent !== null && target.parent.resource !== resource.parent?.resource) {
      if (isId) return text;
      throw new RowRejected([`${name}: "${text}" is not an id of ${target.name}.`]);
    }
    const found = await collections.first(target, { externalId: text });
    if (found !== null) return found.id;
    if (isId && (await collections.read(target, text)) !== null) return text;
    const reason = `${name}: "${text}" is neither the id nor the externalId of a record of ${target.name} here.`;
    throw target.name === resource.name ? new PendingReference([reason]) : new RowRejected([reason]);
  }
}
