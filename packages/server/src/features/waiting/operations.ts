/**
 * The operation that lists pending work of the caller. Each part is read with the rights of its list, and null without them. It
 * names few records, so it does not count as an export.
 */
import { articles } from '@trellis/schema/resources/articles.ts';
import { recordPath } from '@trellis/schema/resources/record-path.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { webhookEndpoints } from '@trellis/schema/resources/webhook-endpoints.ts';
import { rightFor } from '@trellis/schema/rights/check-right.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { handleRead, respondWithJson, scopeOfRead } from '../../kernel/http/calls.ts';
import type { HttpContext } from '../../kernel/http/context.ts';
import type { Operation } from '../../kernel/http/operation.ts';
import { limitParameter } from '../../kernel/http/resource-parameters.ts';
import { type Actor, findGrant } from '../../kernel/identity/actor.ts';
import {
  articleSteps,
  articlesIn,
  endpointsIn,
  endpointsStep,
  examinedDrafts,
  type FailingEndpoint,
  publishedDays,
  type WaitingArticle,
} from './waiting.ts';

/** Articles of a part. */
export const mostWaiting = 50;
const usualWaiting = 10;

export function waitingOperation(context: HttpContext, origin: () => string): Operation {
  return {
    operationId: 'getWaiting',
    method: 'GET',
    path: '/v1/waiting',
    tag: 'Me',
    summary: 'Read what waits for the caller',
    description: `Articles of all sites that wait, and webhook endpoints that fail: the caller's drafts (created or last changed by the caller, among the newest ${examinedDrafts} of the organization), those of them that others sent back from review, articles of the caller that others published in the last ${publishedDays} days, articles in review, scheduled ones, those whose scheduled change failed and was not set anew, and endpoints that the server has disabled or that have a failed delivery. Any token may ask; a part that the caller may not read is null.`,
    requirement: { scopes: [], module: null, permission: null },
    pathParameters: [],
    queryParameters: [limitParameter({ min: 1, max: mostWaiting, default: usualWaiting })],
    body: null,
    success: { status: 200, description: 'What waits.', schemaName: 'Waiting', headers: [] },
    conditional: false,
    problems: [],
    handle: (call) =>
      handleRead(context, call, async (actor, { limit = String(usualWaiting) }) => {
        const scope = scopeOfRead(call);
        const articlesRead = mayRead(actor, articles) ? articleSteps(call.credentials, Number(limit)) : [];
        const endpointsRead = mayRead(actor, webhookEndpoints) ? [endpointsStep(call.credentials)] : [];
        const reads = [...articlesRead, ...endpointsRead];
        const results = reads.length === 0 ? [] : await context.database.query(scope, reads);
        const list = (index: number) =>
          articlesRead.length === 0
            ? null
            : articlesIn(results[index]).map((article) => renderArticle(article, origin()));
        const waiting = {
          drafts: list(0),
          returned: list(1),
          published: list(2),
          inReview: list(3),
          scheduled: list(4),
          failedSchedules: list(5),
          endpoints:
            endpointsRead.length === 0
              ? null
              : endpointsIn(results.at(-1)).map((endpoint) => renderEndpoint(endpoint, origin())),
        };
        return respondWithJson(call, null, () => JSON.stringify(waiting));
      }),
  };
}

function mayRead(actor: Actor, resource: Resource): boolean {
  return typeof findGrant(actor, rightFor(resource, 'read')) === 'string';
}

function renderArticle({ id, siteId, updatedBy, ...rest }: WaitingArticle, origin: string): object {
  return {
    id: encodeId(articles.idPrefix, id),
    url: `${origin}${recordPath(articles, siteId, id)}`,
    ...rest,
    updatedBy: updatedBy === null ? null : encodeId('user', updatedBy),
  };
}

function renderEndpoint({ id, ...rest }: FailingEndpoint, origin: string): object {
  return {
    id: encodeId(webhookEndpoints.idPrefix, id),
    url: `${origin}${recordPath(webhookEndpoints, null, id)}`,
    ...rest,
  };
}
