/** The schemas of what becomes of the items of a batch. */
import { limits } from '@trellis/schema/resources/limits.ts';
import {
  exampleId,
  int32Max,
  integer,
  list,
  object,
  optional,
  reference,
  type Schemas,
  text,
} from '../../http/schemas.ts';
import { problemExample } from './problem-examples.ts';

/** @param origin of the server, for examples */
export function batchSchemas(origin: string): Schemas {
  const examples = [
    { status: 201, id: exampleId('con'), version: 1 },
    { status: 409, problem: problemExample('conflict', origin) },
  ];
  return {
    BatchOutcome: object(
      'What became of an item of a batch.',
      {
        status: integer('The status that the request alone would have had.', 201, {
          minimum: 200,
          maximum: 599,
        }),
        id: optional(text('Id of the record, unless the item was refused.', exampleId('con'))),
        version: optional(
          integer('Version of the record, unless it was deleted or the item was refused.', 1, {
            minimum: 1,
            maximum: int32Max,
          }),
        ),
        problem: optional({
          ...reference('Problem'),
          description: 'Why the item was refused: the problem that the request alone would have had.',
        }),
      },
      examples[0],
    ),
    BatchOutcomes: object(
      'What became of the items of a batch.',
      {
        items: list(
          'An outcome for each item, in the order of the items.',
          reference('BatchOutcome'),
          { maxItems: limits.batchItems },
          examples,
        ),
      },
      { items: examples },
    ),
  };
}
