/**
 * The plan of an upsert: it first looks up the record with the given value, and then becomes an ordinary creation or change. Nothing is
 * locked in between, so the lookup is repeated if another write created, changed or deleted the record in the meantime.
 */

import { Problem } from '@trellis/schema/problem.ts';
import { rightFor } from '@trellis/schema/rights/check-right.ts';
import { invalid, refuseFaults } from '@trellis/schema/validation/faults.ts';
import type { Input } from '@trellis/schema/validation/input.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import type { DatabaseFailure } from '../../database/batch.ts';
import { type Matching, matchingBy, matchRow } from '../matching.ts';
import type { Model, Models } from '../model.ts';
import type { Target } from '../storage.ts';
import { CommitFailure } from './explain-failure.ts';
import type { Plan, UpsertPlan } from './plan.ts';
import { planCreate, planUpdate, type ResponseShape, viewRecord, visibilityReads } from './plans.ts';
import { mayRead } from './steps/authorize.ts';

/** The record no longer has the value by which it was found. */
class OvertakenError extends Problem {
  constructor() {
    const headers = { 'retry-after': '1' };
    super('overloaded', 'Other requests keep changing the record. Nothing was changed.', { headers });
  }
}

/** The accepted body of an upsert. */
export interface UpsertInput {
  readonly body: unknown;
  readonly patch: Input;
  readonly matching: Matching;
  /** The values to match by. */
  readonly wanted: readonly string[];
}

/**
 * Reads the body of an upsert, which is one that a PATCH takes: absent members stay unchanged, and a new record has their defaults.
 * @param name of the matching, as the declaration has it
 * @throws Problem for a body that is no patch, or has no value to match by
 */
export function readUpsert({ resource, input }: Model, name: string, body: unknown): UpsertInput {
  const matching = matchingBy(resource, name);
  const patch = input.patch(body);
  refuseFaults(patch.faults);
  const wanted = matching.valuesOf(patch.values);
  if (wanted.length > 0) return { body, patch, matching, wanted };
  throw invalid({
    pointer: matching.pointer,
    code: 'required',
    detail: `Records are matched by this value: give one, or match by something else than \`${name}\`.`,
  });
}

/** Plans an upsert. */
export function planUpsert(
  models: Models,
  model: Model,
  place: Omit<Target, 'id'>,
  { body, patch, matching, wanted }: UpsertInput,
  shape: ResponseShape,
): UpsertPlan {
  const { resource } = model;
  const targetOf = (id: string) => ({ ...place, id });
  return {
    kind: 'upsert',
    model,
    find: matching.find(place, wanted),
    match(found, { actor }) {
      const ids = [...new Set(matchRow.all(found).map(({ id }) => id))].toSorted();
      const [id = null] = ids;
      if (ids.length > 1) {
        const isShown = actor !== null && mayRead(actor, resource);
        const existingIds = ids.map((each) => encodeId(resource.idPrefix, each));
        throw new Problem('ambiguous_match', undefined, { members: isShown ? { existingIds } : {} });
      }
      return { id, requirement: rightFor(resource, id === null ? 'create' : 'update') };
    },
    planFor(id, { ifMatch }) {
      if (id !== null) return whileMatching(planUpdate(model, targetOf(id), patch, shape), matching, wanted);
      if (ifMatch !== undefined)
        throw new Problem(
          'version_mismatch',
          'No record matches, so there is no version that `If-Match` could name.',
        );
      const creation = model.input.create(body);
      refuseFaults(creation.faults);
      return planCreate(models, model, place, creation, shape);
    },
    requirementOf: ({ status }) => rightFor(resource, status === 201 ? 'create' : 'update'),
    isOvertaken(error, kind) {
      if (error instanceof OvertakenError) return true;
      if (kind === 'update') return error instanceof Problem && error.code === 'not_found';
      const failure = error instanceof CommitFailure ? (error.cause as DatabaseFailure) : undefined;
      return failure?.code === '23505' && failure.constraint === matching.constraint;
    },
    replay: {
      visibility: (_response, _actor, recordId) =>
        recordId === null ? null : visibilityReads(model, targetOf(recordId)),
      show: (recordId, response) => viewRecord(model, targetOf(recordId), response),
      subject: (_response, recordId) => model.statements.read(targetOf(recordId ?? ''), 'working', 'narrow'),
    },
  };
}

/** The plan of a change that is made only while the record has the value by which it was found. */
function whileMatching(plan: Plan<'update'>, matching: Matching, wanted: readonly string[]): Plan<'update'> {
  return {
    ...plan,
    decide(context, before) {
      const has = before === null ? [] : matching.valuesOf(before.values);
      if (!wanted.some((value) => has.includes(value))) throw new OvertakenError();
      return plan.decide(context, before);
    },
  };
}
