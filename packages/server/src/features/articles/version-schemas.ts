/** The schemas of the versions of articles, their lists, and the differences between two versions. */
import { articles } from '@trellis/schema/resources/articles.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { commonProperties, groupSchema } from '../../kernel/contract/openapi/record-schemas.ts';
import {
  idSchema,
  int32Max,
  integer,
  list,
  object,
  pageSchema,
  reference,
  type Schemas,
  text,
} from '../../kernel/http/schemas.ts';

/** The schemas of article versions, by the name of the component. */
export function articleVersionSchemas(): Schemas {
  const { createdAt, updatedAt, createdBy, updatedBy } = commonProperties as Record<string, JsonSchema>;
  const properties: Record<string, JsonSchema> = {
    articleId: idSchema(articles.idPrefix, 'The article.'),
    versionNumber: versionNumber('Number of the version, from 1.', 1),
    versionData: groupSchema(articles, 'versionData'),
    ...(createdAt && { createdAt }),
    ...(updatedAt && { updatedAt }),
    ...(createdBy && { createdBy }),
    ...(updatedBy && { updatedBy }),
  };
  const version = object('One version of an article.', properties);
  return {
    ArticleVersion: version,
    ArticleVersionList: pageSchema(
      'One page of versions, newest first.',
      reference('ArticleVersion'),
      version.examples ?? [],
      limits.listPageSize.max,
    ),
    ArticleVersionDifference: articleVersionDifference,
  };
}

const hunkExample = {
  beforeStart: 1,
  beforeLines: 1,
  afterStart: 1,
  afterLines: 1,
  lines: ['-# Hello', '+# Hello, world'],
};

const differenceExample = {
  from: 1,
  to: 2,
  fields: [{ field: 'versionData.title', before: 'Trellis', after: 'Trellis 1.0 released' }],
  body: [hunkExample],
};

const lineNumbers = { minimum: 0 };

const hunk = object(
  null,
  {
    beforeStart: integer('First line in `from`, from 1; if there is none, the line before.', 1, lineNumbers),
    beforeLines: integer('Number of lines in `from`.', 1, lineNumbers),
    afterStart: integer('First line in `to`, from 1; if there is none, the line before.', 1, lineNumbers),
    afterLines: integer('Number of lines in `to`.', 1, lineNumbers),
    lines: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      description:
        'The lines, each with a prefix: a space (in both), `-` (only in `from`) or `+` (only in `to`).',
      examples: [hunkExample.lines],
    },
  },
  hunkExample,
);

const fieldDifference = object(
  null,
  {
    field: text('Dotted name of the field.', 'versionData.title'),
    before: { description: 'Its value in `from`: any JSON value.', examples: ['Trellis'] },
    after: { description: 'Its value in `to`: any JSON value.', examples: ['Trellis 1.0 released'] },
  },
  differenceExample.fields[0],
);

const articleVersionDifference = object(
  'The differences between two versions of an article.',
  {
    from: versionNumber('Number of the version compared with.', 1),
    to: versionNumber('Number of the version in the path.', 2),
    fields: list('All fields that differ, except the body.', fieldDifference),
    body: list(
      'The changed parts of the body with the lines around them; empty if the body is the same.',
      hunk,
    ),
  },
  differenceExample,
);

function versionNumber(description: string, example: number): JsonSchema {
  return integer(description, example, { minimum: 1, maximum: int32Max });
}
