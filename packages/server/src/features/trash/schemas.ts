/** The schemas of the trash. */

import { books } from '@trellis/schema/resources/books.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { goesToTrash } from '@trellis/schema/resources/resource.ts';
import { orNull } from '@trellis/schema/validation/body-schemas.ts';
import { recordSchemas } from '../../kernel/contract/openapi/record-schemas.ts';
import {
  exampleId,
  idSchema,
  instant,
  object,
  oneOf,
  pageSchema,
  reference,
  type Schemas,
  text,
} from '../../kernel/http/schemas.ts';

/** @param origin of the server, for examples */
export function trashSchemas(origin: string): Schemas {
  const kept = resources.filter(goesToTrash);
  const entry = object('A deleted record that can be restored.', {
    id: text('Id of the record.', exampleId('book')),
    resource: oneOf(
      'The resource of the record.',
      'books',
      kept.map(({ name }) => name),
    ),
    title: text('What the record was called.', 'Frankenstein'),
    url: text(
      'The address that the record has again when it is restored.',
      `${origin}/v1/books/${exampleId('book')}`,
    ),
    parentId: orNull(text('Id of the record above it, such as the site of an article.', exampleId('site'))),
    deletedBy: orNull(idSchema('user', 'Who deleted it.')),
    deletedAt: instant('When it was deleted.'),
    purgeAt: instant('When it is removed for good.', '2026-03-31T09:00:00.000Z'),
  });
  return {
    TrashEntry: entry,
    TrashList: pageSchema(
      'One page of the trash, last deleted first.',
      reference('TrashEntry'),
      entry.examples ?? [],
      limits.listPageSize.max,
    ),
    RestoredRecord: {
      description: 'The record, as its own operations return it.',
      anyOf: kept.map(({ title }) => reference(title.singular)),
      examples: recordSchemas(books)[books.title.singular]?.examples ?? [],
    },
  };
}
