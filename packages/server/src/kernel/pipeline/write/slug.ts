/**
 * Generates the slug of a record that was created without one: from the title, with the next small number if it is
 * taken, or with random letters. An advisory lock until the commit serializes creates that want the same slug.
 */

import { findPlace } from '@trellis/schema/resources/places.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import type { Input } from '@trellis/schema/validation/input.ts';
import type { StoredRecord, Values } from '@trellis/schema/validation/values.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { makeSlug, makeSlugs } from '@trellis/schema/values/slug.ts';
import { type Statement, type Step, type StepResult, step } from '../../database/batch.ts';
import { textArray } from '../../database/values.ts';
import { advisoryLock } from '../locks.ts';
import type { Model } from '../model.ts';
import { columnName, type Target } from '../storage.ts';

/** A slug to be generated. */
export interface SlugPlan {
  /** Steps that lock the bases of the slug and read which candidates are taken; undefined if no slug is generated. */
  readonly taken: readonly Step[] | undefined;
  /** The first free candidate, as a value of the record. @param parent of the record, whose language texts without one have */
  choose(taken: StepResult | undefined, parent: Pick<StoredRecord, 'values'> | null): Values;
}

const noSlug: SlugPlan = { taken: undefined, choose: () => ({}) };
/** Number of candidates with a number; after them, letters are chosen at random. */
const numbered = 8;

/** Plans the slug of a new record. */
export function planSlug({ resource }: Model, place: Omit<Target, 'id'>, input: Input): SlugPlan {
  const rule = resource.slug;
  if (rule === undefined || (input.values[rule.field] ?? null) !== null) return noSlug;
  const title = input.values[rule.from];
  const schema = findPlace(resource, rule.field)?.field.schema as JsonSchema | undefined;
  // Room for a hyphen and eight random letters.
  const longest = Number(schema?.maxLength) - 9;
  const text = typeof title === 'string' ? title : '';
  const given = rule.language === undefined ? null : textOf(input.values[rule.language]);
  // The language of the parent is read with what is taken: until then each way of writing the title may be the one.
  const made = given === null ? makeSlugs(text, longest) : [makeSlug(text, longest, given)];
  const bases = made.map((base) => base || resource.singular).toSorted();
  const random = newUuid().slice(-8);
  const candidatesOf = (base: string) => [
    base,
    ...Array.from({ length: numbered }, (_, index) => `${base}-${index + 2}`),
    `${base}-${random}`,
  ];
  const column = columnName(rule.field);
  const within = resource.parent === null ? '' : ` AND ${resource.parent.column} = $3`;
  const readTaken: Statement = {
    name: `taken_slugs_${resource.name}`,
    text: `SELECT ${column} FROM trellis.${resource.table} WHERE organization_id = $1 AND ${column} = ANY ($2)${within}`,
  };
  const { organizationId, parentId } = place;
  const values = [
    organizationId,
    textArray(bases.flatMap(candidatesOf)),
    ...(parentId === null ? [] : [parentId]),
  ];
  return {
    taken: [
      ...bases.map((base) => advisoryLock(organizationId, parentId ?? '', resource.name, base)),
      step(readTaken, values),
    ],
    choose(taken, parent) {
      const inherited =
        rule.parentLanguage === undefined ? null : textOf(parent?.values[rule.parentLanguage]);
      const base = makeSlug(text, longest, given ?? inherited) || resource.singular;
      const used = new Set(taken?.rows.map(([slug]) => slug));
      const free = candidatesOf(base).find((candidate) => !used.has(candidate));
      return { [rule.field]: free ?? `${base}-${random}` };
    },
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
