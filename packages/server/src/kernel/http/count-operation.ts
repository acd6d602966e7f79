/** The operation that counts the records of a list by the values of a choice, derived from the declaration of the resource. */
import { type CountedChoice, countedChoices } from '@trellis/schema/resources/counts.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { joinWords, nounOf } from '@trellis/schema/resources/nouns.ts';
import { countRecords } from '../pipeline/list/counts.ts';
import type { Model } from '../pipeline/model.ts';
import { handleRead, respondWithJson } from './calls.ts';
import type { HttpContext } from './context.ts';
import type { Operation, QueryParameter } from './operation.ts';
import { placeOf, requirementOf } from './resource-operations.ts';
import { filterParameters, parentParameters, searchParameter } from './resource-parameters.ts';
import { requireParent } from './resource-reads.ts';

/** The operation, for a resource with a list that is filtered by closed choices; none for others. */
export function countOperations(context: HttpContext, model: Model): readonly Operation[] {
  const { resource } = model;
  const choices = countedChoices(resource);
  const [first] = choices;
  if (first === undefined) return [];
  const { plural } = resource.title;
  const [most, examined] = [limits.countPerValue, limits.countedRecords].map((n) => n.toLocaleString('en'));
  return [
    {
      tag: plural,
      operationId: `count${plural}`,
      method: 'GET',
      path: `/v1${resource.path}/counts`,
      summary: `Count ${nounOf(resource.name)}`,
      description: `How many records the list has with each value of a field, for groups. Takes the filters and \`search\` of the list, and counts what the caller may list. Counting is bounded: a count ends at ${most}, and where no index helps, the newest ${examined} records are counted. \`isExact\` is false for a count that may be larger.`,
      requirement: requirementOf(resource, 'read'),
      pathParameters: parentParameters(resource),
      queryParameters: [
        byParameter(choices, first),
        searchParameter(resource),
        ...filterParameters(resource),
      ],
      body: null,
      success: { status: 200, description: 'A count for each value.', schemaName: 'Counts', headers: [] },
      conditional: false,
      problems: resource.refusals?.list ?? [],
      handle: (call) =>
        handleRead(context, call, async (actor, { by, search, ...filters }) => {
          const choice = choices.find(({ name }) => name === by) ?? first;
          const place = placeOf(resource, call);
          const { country } = actor;
          const query = { ...place, country, filters, search: search ?? null };
          const items = await countRecords(context.database, model, query, choice);
          if (items.every(({ count }) => count === 0)) await requireParent(context, resource, place);
          return respondWithJson(call, null, () => JSON.stringify({ items }));
        }),
    },
  ];
}

function byParameter(choices: readonly CountedChoice[], { name }: CountedChoice): QueryParameter {
  const names = choices.map((choice) => choice.name);
  return {
    name: 'by',
    description: `The filter whose values are counted: ${joinWords(
      names.map((each) => `\`${each}\``),
      'or',
    )}.`,
    required: true,
    schema: { type: 'string', enum: names },
    example: name,
  };
}
