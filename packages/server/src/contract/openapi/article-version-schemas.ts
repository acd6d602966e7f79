/** The schemas of the versions of articles, their lists, and the differences between two versions. */
import { articles } from '@trellis/schema/resources/articles.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import {
  commonProperties,
  groupSchema,
  idSchema,
  pageSchema,
  reference,
  type Schemas,
} from './record-schemas.ts';

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
  const example = Object.fromEntries(
    Object.entries(properties).map(([name, { examples }]) => [name, examples?.[0]]),
  );
  return {
    ArticleVersion: {
      type: 'object',
      description: 'One version of an article.',
      properties,
      required: Object.keys(properties),
      examples: [example],
    },
    ArticleVersionList: pageSchema(
      'One page of versions, newest first.',
      reference('ArticleVersion'),
      [example],
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

const articleVersionDifference: JsonSchema = {
  type: 'object',
  description: 'The differences between two versions of an article.',
  properties: {
    from: versionNumber('Number of the version compared with.', 1),
    to: versionNumber('Number of the version in the path.', 2),
    fields: {
      type: 'array',
      description: 'All fields that differ, except the body.',
      items: {
        type: 'object',
        properties: {
          field: {
            type: 'string',
            description: 'Dotted name of the field.',
            examples: ['versionData.title'],
          },
          before: { description: 'Its value in `from`: any JSON value.', examples: ['Trellis'] },
          after: { description: 'Its value in `to`: any JSON value.', examples: ['Trellis 1.0 released'] },
        },
        required: ['field', 'before', 'after'],
        examples: differenceExample.fields,
      },
      examples: [differenceExample.fields],
    },
    body: {
      type: 'array',
      description: 'The changed parts of the body with the lines around them; empty if the body is the same.',
      items: {
        type: 'object',
        properties: {
          beforeStart: lineCount('First line in `from`, from 1; if there is none, the line before.', 1),
          beforeLines: lineCount('Number of lines in `from`.', 1),
          afterStart: lineCount('First line in `to`, from 1; if there is none, the line before.', 1),
          afterLines: lineCount('Number of lines in `to`.', 1),
          lines: {
            type: 'array',
            items: { type: 'string', minLength: 1 },
            description:
              'The lines, each with a prefix: a space (in both), `-` (only in `from`) or `+` (only in `to`).',
            examples: [hunkExample.lines],
          },
        },
        required: ['beforeStart', 'beforeLines', 'afterStart', 'afterLines', 'lines'],
        examples: [hunkExample],
      },
      examples: [differenceExample.body],
    },
  },
  required: ['from', 'to', 'fields', 'body'],
  examples: [differenceExample],
};

function versionNumber(description: string, example: number): JsonSchema {
  return { type: 'integer', minimum: 1, maximum: 2_147_483_647, description, examples: [example] };
}

function lineCount(description: string, example: number): JsonSchema {
  return { type: 'integer', minimum: 0, description, examples: [example] };
}
