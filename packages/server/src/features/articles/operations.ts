/** The operations of articles in addition to the six that every resource has: on versions, and the issues that contain an article. */

import { articles } from '@trellis/schema/resources/articles.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import {
  handleRead,
  nextCursorOf,
  pathNumber,
  respondWithJson,
  respondWithPage,
} from '../../kernel/http/calls.ts';
import type { HttpContext } from '../../kernel/http/context.ts';
import type { Operation } from '../../kernel/http/operation.ts';
import { ownOperations } from '../../kernel/http/own-operations.ts';
import {
  itemOf,
  requirementOf,
  type SharedOperations,
  targetOf,
} from '../../kernel/http/resource-operations.ts';
import {
  cursorParameter,
  limitParameter,
  numberParameter,
  numberSchema,
} from '../../kernel/http/resource-parameters.ts';
import type { Model } from '../../kernel/pipeline/model.ts';
import { renderWithinBudget } from '../../kernel/pipeline/page-budget.ts';
import { planAction } from '../../kernel/pipeline/write/plans.ts';
import { usageOperation } from '../uses/operation.ts';
import { createFindUses } from '../uses/uses.ts';
import type { ArticleRecord } from './rules.ts';
import {
  compareVersions,
  decideRestore,
  listVersions,
  readVersion,
  renderVersion,
  restoreReads,
} from './versions.ts';

/** Issues contain articles of any site. */
const findArticleUses = createFindUses(articles);

/** Declares the operations that list, read and compare versions, the one that reads where an article is used, and the plan that restores a version. */
export function articleOperations(
  context: HttpContext,
  model: Model,
  shared: SharedOperations,
): Readonly<Record<string, Operation>> {
  const { resource } = model;
  const { path, parameters: pathParameters } = itemOf(resource);
  const item = `${path}/versions`;
  const version = numberParameter('number', 'Number of the version, from 1.');
  const common = { tag: resource.title.plural, conditional: false, body: null, problems: [] } as const;
  const reading = { ...common, method: 'GET', requirement: requirementOf(resource, 'read') } as const;
  return {
    getUsage: usageOperation(context, model, {
      operationId: 'getArticleUsage',
      summary: 'Read where an article is used',
      description:
        'The issues of all magazines that contain the article. They are left out if the caller may not read issues.',
      pathParameters,
      findUses: findArticleUses,
    }),
    listVersions: {
      ...reading,
      operationId: 'listArticleVersions',
      path: item,
      summary: 'List versions of an article',
      description: 'All versions, newest first.',
      pathParameters,
      queryParameters: [limitParameter(limits.listPageSize), cursorParameter],
      success: {
        status: 200,
        description: 'One page of versions.',
        schemaName: 'ArticleVersionList',
        headers: [],
      },
      isListing: true,
      problems: ['cursor_invalid', 'cursor_mismatch'],
      handle: (call) =>
        handleRead(context, call, async (_actor, { limit, cursor }) => {
          const target = targetOf(resource, call);
          const binding = {
            organizationId: target.organizationId,
            route: `${call.operation.operationId} ${call.path}`,
            query: {},
          };
          const after = cursor === undefined ? null : context.cursors.open(binding, cursor);
          const page = await listVersions(
            context.database,
            target,
            after,
            Number(limit ?? limits.listPageSize.default),
          );
          const items = await renderWithinBudget(
            context.database,
            target.organizationId,
            page.versions,
            (version) => JSON.stringify(renderVersion(model, target.id, version)),
          );
          const keys = page.versions.map(({ number }) => `${target.id} ${number}`);
          return respondWithPage(call, items, keys, nextCursorOf(context, binding, page, items.length));
        }),
    },
    readVersion: {
      ...reading,
      operationId: 'getArticleVersion',
      path: `${item}/{number}`,
      summary: 'Read a version of an article',
      description: 'One version, whatever its status.',
      pathParameters: [...pathParameters, version],
      queryParameters: [],
      success: { status: 200, description: 'The version.', schemaName: 'ArticleVersion', headers: [] },
      handle: (call) =>
        handleRead(context, call, async () => {
          const target = targetOf(resource, call);
          const version = await readVersion(context.database, target, pathNumber(call, 'number'));
          return respondWithJson(call, null, () => JSON.stringify(renderVersion(model, target.id, version)));
        }),
    },
    compareVersions: {
      ...reading,
      operationId: 'compareArticleVersions',
      path: `${item}/{number}/diff`,
      summary: 'Compare two versions of an article',
      description: 'What changed from version `against` to this one: field by field, the body as line hunks.',
      pathParameters: [...pathParameters, version],
      queryParameters: [
        {
          name: 'against',
          description: 'Number of the other version.',
          required: true,
          schema: numberSchema,
          example: 1,
        },
      ],
      success: {
        status: 200,
        description: 'The difference.',
        schemaName: 'ArticleVersionDifference',
        headers: [],
      },
      handle: (call) =>
        handleRead(context, call, async (_actor, { against = '' }) => {
          const target = targetOf(resource, call);
          const to = await readVersion(context.database, target, pathNumber(call, 'number'));
          const from = await readVersion(context.database, target, against);
          const turn = () => context.database.turns.enter(target.organizationId);
          const difference = await compareVersions(model, target.id, from, to, turn);
          return respondWithJson(call, null, () => JSON.stringify(difference));
        }),
    },
    ...ownOperations(context, model, shared, articles, {
      actions: {
        restoreArticleVersion: ({ target, part, shape }) =>
          planAction(model, target, restoreReads(target, part), shape, (before: ArticleRecord, { rows }) =>
            decideRestore(before, rows),
          ),
      },
    }),
  };
}
