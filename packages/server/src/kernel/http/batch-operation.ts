/**
 * The operation that carries out several writes at once, derived from the declarations: one below each collection whose records are changed
 * by bodies.
 */
import { Problem } from '@trellis/schema/problem.ts';
import { type BatchOp, batchOpsOf } from '@trellis/schema/resources/batches.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { nounOf } from '@trellis/schema/resources/nouns.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import type { Model } from '../pipeline/model.ts';
import type { BatchOutcome } from '../pipeline/write/batches/batch.ts';
import { writeBatch } from '../pipeline/write/batches/write-batch.ts';
import { batchBody, documentedBatch, parentStep, readBatch } from './batch-items.ts';
import { receiveWrite, refuseVersion, toResponse } from './calls.ts';
import type { HttpContext } from './context.ts';
import { createExample, patchExample } from './examples.ts';
import type { Call, Operation } from './operation.ts';
import { describeProblem } from './problems.ts';
import { requirementOf } from './resource-operations.ts';
import { parentParameters } from './resource-parameters.ts';
import { exampleId } from './schemas.ts';

/** The operation, for a resource whose records are written by bodies; none for others. */
export function batchOperations(context: HttpContext, model: Model): readonly Operation[] {
  const { resource } = model;
  const [first, ...others] = batchOpsOf(resource);
  if (first === undefined || first === 'upsert') return [];
  const { plural } = resource.title;
  return [
    {
      tag: plural,
      operationId: `batch${plural}`,
      method: 'POST',
      path: `/v1${resource.path}/batch`,
      summary: `Write several ${nounOf(resource.name)} at once`,
      description: `Carries out up to ${limits.batchItems} writes in their order, each as it would be alone: with its rights, checks, events and versions. The response has an outcome for each item: the status, id and version, or the problem that the write would have had. An item that is refused leaves the others as they are, unless the batch is \`atomic\`. All items have one Idempotency-Key: a retry returns the same outcomes, and carries out nothing again. Each item counts against the rate limits. Items may belong to another \`collection\`, and \`"$0"\` in the place of an id is the id of the record of the first item, \`"$1"\` that of the second.`,
      requirement: {
        ...requirementOf(resource, first),
        orActions: others.filter((op) => op !== 'upsert'),
      },
      pathParameters: parentParameters(resource),
      queryParameters: [],
      body: {
        schemaName: 'BatchCreate',
        schema: batchBody,
        documented: documentedBatch(context),
        mediaTypes: ['application/json'],
        example: exampleOf(resource, first),
      },
      success: {
        status: 200,
        description: 'An outcome for each item, in the order of the items.',
        schemaName: 'BatchOutcomes',
        headers: ['Idempotent-Replayed'],
      },
      conditional: false,
      problems: [
        'not_found',
        'conflict',
        'ambiguous_match',
        'in_use',
        'invalid_transition',
        'quota_reached',
        'reference_not_found',
        'validation_failed',
        'unknown_field',
        'empty_patch',
      ],
      handle: async (call) => {
        const { made, token, writes } = await receiveWrite(
          context,
          call,
          ({ body: given, preconditions }) => {
            refuseVersion(preconditions);
            return readBatch(context, model, call, given);
          },
        );
        await call.countFurther(made.items.length - 1);
        const result = await writeBatch(writes, {
          scope: call.credentials,
          requestId: call.requestId,
          token,
          parent: parentStep(context, model, call),
          atomic: made.atomic,
          items: made.items,
          render: (outcomes) => {
            let left = mostFaults;
            const items = outcomes.map((outcome, at) => {
              const limited = limitFaults(outcome, left);
              if (limited instanceof Problem) left = Math.max(0, left - limited.errors.length);
              return renderOutcome(context, call, limited, made.items[at]?.path);
            });
            return JSON.stringify({ items });
          },
          outcomesIn: (stored) => (JSON.parse(stored) as { items: { status: number; id?: string }[] }).items,
        });
        return toResponse(result, false);
      },
    },
  ];
}

/** Faults of all items that a response lists at most, besides one for each: responses are stored. */
const mostFaults = 1_000;

/** The outcome with as many faults as are left; with the first one in any case. */
function limitFaults(outcome: BatchOutcome, left: number): BatchOutcome {
  if (!(outcome instanceof Problem) || outcome.errors.length <= Math.max(1, left)) return outcome;
  const { code, message, members, headers } = outcome;
  return new Problem(code, message, { errors: outcome.errors.slice(0, Math.max(1, left)), members, headers });
}

function exampleOf(resource: Resource, first: BatchOp): Record<string, unknown> {
  const data = first === 'create' ? createExample(resource) : patchExample(resource);
  const named = first === 'create' ? {} : { id: exampleId(resource.idPrefix) };
  return { items: [{ op: first, ...named, data }] };
}

function renderOutcome(context: HttpContext, call: Call, outcome: BatchOutcome, path = call.path): unknown {
  if (outcome instanceof Problem) {
    const problem = describeProblem(outcome, call.requestId, path, { origin: context.origin() });
    return { status: outcome.status, problem };
  }
  const { status, recordId, version, model } = outcome;
  const id = encodeId(model.resource.idPrefix, recordId);
  return version === null ? { status, id } : { status, id, version };
}
