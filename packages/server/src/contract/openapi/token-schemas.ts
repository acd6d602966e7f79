/** The schemas of tokens that no field of theirs says: the record with its secret. */
import { tokens } from '@trellis/schema/resources/tokens.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { recordSchemas, type Schemas } from './record-schemas.ts';

/** The schemas by name. */
export function tokenSchemas(): Schemas {
  const { Token: record = {} } = recordSchemas(tokens);
  const secret: JsonSchema = {
    type: 'string',
    pattern: '^trl_pat_[0-9A-Za-z]{36}$',
    description: 'The token. Store it where only the client can read it.',
    examples: [['trl_pat', 'example0example0example0example00000'].join('_')],
  };
  const example = { ...(record.examples?.[0] as object), secret: secret.examples?.[0] };
  return {
    TokenWithSecret: {
      ...record,
      description: 'A token with its secret, which is shown only once.',
      properties: { ...record.properties, secret },
      required: [...(record.required ?? []), 'secret'],
      examples: [example],
    },
  };
}
