/**
 * Generates the slug of a record that was created without one: from the title, with the next small number if it is
 * taken, or with random letters. An advisory lock until the commit serializes creates that want the same slug.
 */

import { findPlace } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import type { Input } from '@trellis/schema/validation/input.ts';
import type { Values } from '@trellis/schema/validation/values.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { makeSlug } from '@trellis/schema/values/slug.ts';
import { type Statement, type Step, type StepResult, step } from '../../database/batch.ts';
import { textArray } from '../../database/values.ts';
import { advisoryLock } from '../locks.ts';
import type { Model } from '../model.ts';
import { columnName, type Target } from '../storage.ts';

/** A slug to be generated. */
export interface SlugPlan {
  /** Steps that lock the base of the slug and read which candidates are taken; undefined if no slug is generated. */
  readonly taken: readonly Step[] | undefined;
  /** The first free candidate, as a value of the record. */
  choose(taken: StepResult | undefined): Values;
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
  const base = makeSlug(typeof title === 'string' ? title : '', longest) || resource.singular;
  const last = `${base}-${newUuid().slice(-8)}`;
  const candidates = [base, ...Array.from({ length: numbered }, (_, index) => `${base}-${index + 2}`), last];
  const column = columnName(rule.field);
  const within = resource.parent === null ? '' : ` AND ${resource.parent.column} = $3`;
  const readTaken: Statement = {
    name: `taken_slugs_${resource.name}`,
    text: `SELECT ${column} FROM trellis.${resource.table} WHERE organization_id = $1 AND ${column} = ANY ($2)${within}`,
  };
  const { organizationId, parentId } = place;
  const values = [organizationId, textArray(candidates), ...(parentId === null ? [] : [parentId])];
  return {
    taken: [advisoryLock(organizationId, parentId ?? '', resource.name, base), step(readTaken, values)],
    choose(taken) {
      const used = new Set(taken?.rows.map(([slug]) => slug));
      return { [rule.field]: candidates.find((candidate) => !used.has(candidate)) ?? last };
    },
  };
}
