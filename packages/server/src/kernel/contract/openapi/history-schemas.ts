/** The schemas of the history of a record. */
import { limits } from '@trellis/schema/resources/limits.ts';
import { orNull } from '@trellis/schema/validation/body-schemas.ts';
import {
  exampleId,
  idSchema,
  instant,
  int32Max,
  integer,
  list,
  object,
  oneOf,
  pageSchema,
  reference,
  type Schemas,
  text,
} from '../../http/schemas.ts';

/** The actions of a history, as the last parts of the types of events. */
const actions = ['created', 'updated', 'deleted', 'restored'];

const field = { field: 'name', before: 'Trellis', after: 'Trellis 1.0', offset: null };
const change = {
  version: 2,
  action: 'updated',
  changedAt: '2026-03-01T09:00:00.000Z',
  changedBy: exampleId('user'),
  client: exampleId('client'),
  fields: [field],
};

/** The schemas, by the name of the component. */
export const historySchemas: Schemas = {
  FieldChange: object(
    'The values of a field before and after a change.',
    {
      field: text('Dotted name of the field.', field.field),
      before: { description: 'Its value before: any JSON value.', examples: [field.before] },
      after: { description: 'Its value after: any JSON value.', examples: [field.after] },
      offset: orNull(
        integer(
          'Null for whole values. Of a long text, `before` and `after` are the part that differs, and this is where it begins, in UTF-16 code units.',
          1_024,
          { minimum: 0 },
        ),
      ),
    },
    field,
  ),
  Change: object(
    'A change of a record.',
    {
      version: integer('The version that the change has made.', change.version, {
        minimum: 1,
        maximum: int32Max,
      }),
      action: oneOf('What was done with the record.', change.action, actions),
      changedAt: instant('When (UTC).', change.changedAt),
      changedBy: orNull(idSchema('user', 'The user who made it; null if the system or an operator did.')),
      client: orNull(
        idSchema(
          'client',
          'The client that made it; null if the system or an operator did, and for the creation.',
        ),
      ),
      fields: list(
        'The fields that changed; none for the creation and the deletion.',
        reference('FieldChange'),
        {},
        [field],
      ),
    },
    change,
  ),
  History: pageSchema(
    'One page of the changes of a record, newest first.',
    reference('Change'),
    [change],
    limits.listPageSize.max,
  ),
};
