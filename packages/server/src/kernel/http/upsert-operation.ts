/** The operation that creates a record, or changes the one that has the same unique value, derived from the declaration of the resource. */

import { joinWords, nounOf, withArticle } from '@trellis/schema/resources/nouns.ts';
import { matchingOf, type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import { rightsOfUpdate } from '@trellis/schema/rights/publishing-rights.ts';
import { patchBodySchema } from '@trellis/schema/validation/body-schemas.ts';
import type { Model } from '../pipeline/model.ts';
import { planUpsert, readUpsert } from '../pipeline/write/upsert.ts';
import { handleWrite } from './calls.ts';
import type { HttpContext } from './context.ts';
import { upsertExample } from './examples.ts';
import type { Operation, QueryParameter } from './operation.ts';
import { placeOf, requirementOf } from './resource-operations.ts';
import { parentParameters } from './resource-parameters.ts';

/** The operation, for a resource whose declaration says what its records are matched by; none for others. */
export function upsertOperations(context: HttpContext, model: Model): readonly Operation[] {
  const { resource } = model;
  const matching = matchingOf(resource);
  if (matching.length === 0) return [];
  const { singular, plural } = resource.title;
  return [
    {
      tag: plural,
      operationId: `upsert${singular}`,
      method: 'PUT',
      path: `/v1${resource.path}`,
      summary: `Create or change ${withArticle(resource.singular)}`,
      description: [
        `Changes the ${nounOf(resource.singular)} that has the same value as the body, by a merge patch (RFC 7396), or creates one if there is none: absent members stay unchanged, and have their defaults in a new record. If nothing differs, the version stays as it is. Two requests at once with the same new value create one record.`,
        'The role must permit what it turns out to be, a creation or a change.',
        ...rightsOfUpdate(resource),
      ].join(' '),
      requirement: { ...requirementOf(resource, 'create'), orActions: ['update'] },
      pathParameters: parentParameters(resource),
      queryParameters: [matchingParameter(resource, matching)],
      body: {
        schemaName: `${singular}Patch`,
        schema: patchBodySchema(resource),
        mediaTypes: ['application/json'],
        example: upsertExample(resource),
      },
      success: {
        status: 201,
        description: 'The created record.',
        changed: 'The record that matched, after the change.',
        schemaName: singular,
        headers: ['ETag', 'Location', 'Idempotent-Replayed', 'Preference-Applied'],
      },
      conditional: false,
      problems: [
        'not_found',
        'conflict',
        'ambiguous_match',
        'reference_not_found',
        'validation_failed',
        'unknown_field',
        'empty_patch',
        'version_mismatch',
        ...(statusOf(resource) === null ? [] : (['invalid_transition'] as const)),
        ...(resource.refusals?.create ?? []),
        ...(resource.refusals?.update ?? []),
      ],
      handle: (call) =>
        handleWrite(context, call, ({ body, parameters, minimal }) => {
          // The body first, as for a creation.
          const input = readUpsert(model, parameters.matching ?? '', body);
          return planUpsert(context.models, model, placeOf(resource, call), input, { minimal });
        }),
    },
  ];
}

function matchingParameter({ singular }: Resource, matching: readonly string[]): QueryParameter {
  const names = matching.map((name) => `\`${name}\``);
  return {
    name: 'matching',
    description: `The value by which ${withArticle(singular)} is found: ${joinWords(names, 'or')}. The body has to contain it. Several values in a list match the record that has any of them; if they belong to different records, the response is 409 \`ambiguous_match\`.`,
    required: true,
    schema: { type: 'string', enum: matching },
    example: matching[0] ?? '',
  };
}
