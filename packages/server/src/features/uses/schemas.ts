/** The schemas of what refers to a record. */
import {
  exampleId,
  flag,
  list,
  object,
  reference,
  type Schemas,
  seenFlag,
  text,
} from '../../kernel/http/schemas.ts';
import { mostUses } from './uses.ts';

/** @param origin of the server, for examples */
export function usageSchemas(origin: string): Schemas {
  const use = {
    type: 'article',
    id: exampleId('art'),
    url: `${origin}/v1/sites/${exampleId('site')}/articles/${exampleId('art')}`,
    title: 'Trellis 1.0 released',
    published: true,
    preventsDeletion: true,
  };
  return {
    Use: object(
      'A record that refers to another one.',
      {
        type: text('Kind of the record, as in events.', use.type),
        id: text('Id of the record.', use.id),
        url: text('Address of the record.', use.url),
        title: text('Title of the record.', use.title),
        published: seenFlag,
        preventsDeletion: flag(
          'Whether the other record cannot be deleted because of this one. A mention in a text does not prevent it.',
          use.preventsDeletion,
        ),
      },
      use,
    ),
    Usage: object(
      'What refers to a record.',
      {
        items: list(
          'Records that the caller may read, by kind, the last changed first.',
          reference('Use'),
          { maxItems: mostUses },
          [use],
        ),
        hasMore: flag('Whether there are more than these.', false),
      },
      { items: [use], hasMore: false },
    ),
  };
}
