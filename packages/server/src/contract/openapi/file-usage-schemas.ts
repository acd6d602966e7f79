/** The schemas of what refers to a knowledge file. */
import { exampleId, flag, list, object, reference, type Schemas, text } from '../../http/schemas.ts';
import { mostUses } from '../../resources/knowledge-files/usage.ts';

/** @param origin of the server, for examples */
export function fileUsageSchemas(origin: string): Schemas {
  const use = {
    type: 'article',
    id: exampleId('art'),
    url: `${origin}/v1/sites/${exampleId('site')}/articles/${exampleId('art')}`,
    title: 'Trellis 1.0 released',
  };
  return {
    FileUse: object(
      'A record that refers to a knowledge file.',
      {
        type: text('Kind of the record, as in events.', use.type),
        id: text('Id of the record.', use.id),
        url: text('Address of the record.', use.url),
        title: text('Title of the record.', use.title),
      },
      use,
    ),
    FileUsage: object(
      'What refers to a knowledge file.',
      {
        items: list(
          'Records that the caller may read, by kind, the last changed first.',
          reference('FileUse'),
          { maxItems: mostUses },
          [use],
        ),
        hasMore: flag('Whether there are more than these.', false),
      },
      { items: [use], hasMore: false },
    ),
  };
}
