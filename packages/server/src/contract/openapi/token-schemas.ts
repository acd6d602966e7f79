/** The schemas of tokens that no field of theirs says: the record with its secret. */
import { tokens } from '@trellis/schema/resources/tokens.ts';
import { type Schemas, text, withMember } from '../../http/schemas.ts';
import { recordSchemas } from './record-schemas.ts';

/** The schemas by name. */
export function tokenSchemas(): Schemas {
  const { Token: record = {} } = recordSchemas(tokens);
  const secret = text(
    'The token. Store it where only the client can read it.',
    ['trl_pat', 'example0example0example0exampl01h455vb4pex5vsknk084sn02q000000'].join('_'),
    { pattern: '^trl_pat_[0-9A-Za-z]{30}[0-9a-z]{26}[0-9A-Za-z]{6}$' },
  );
  const description = 'A token with its secret, which is shown only once.';
  return { TokenWithSecret: withMember(record, description, 'secret', secret) };
}
