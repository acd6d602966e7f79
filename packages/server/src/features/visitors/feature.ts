/** Visitors of websites (interface C): the identify call of browsers, and the lookup by servers. */
import { repeat } from '../../kernel/background/roles.ts';
import type { Feature } from '../../kernel/feature.ts';
import { changelogPage, changelogPath } from './http/changelog-page.ts';
import { describeIdentify, identifyOperation, publishableKeyScheme } from './http/document.ts';
import { limitRows } from './http/limit-rows.ts';
import { visitorOperations } from './http/operations.ts';
import { demonstration, demonstrationScript, visitorsPage } from './http/page.ts';
import { registerVisitors, type VisitorOptions } from './http/routes.ts';
import { visitorSchemas } from './http/schemas.ts';
import { sweepVisitors } from './sweep.ts';

/** In ms. */
const sweepMs = 600_000;

/** The feature, with the operator's settings. */
export function visitorsFeature(options: VisitorOptions): Feature {
  return {
    name: 'visitors',
    serve: (context) => ({
      operations: visitorOperations(context),
      register: (app, { metrics, limiterOf }) =>
        registerVisitors(app, {
          database: context.database,
          metrics,
          limiter: limiterOf('visitors'),
          ...options,
        }),
    }),
    documents: {
      tags: { Visitors: 'Identification of the browsers that visit a site, and erasure of visitors.' },
      schemas: () => visitorSchemas,
      publicOperations: [
        {
          operation: identifyOperation,
          needs: 'none; a publishable key',
          describe: () => describeIdentify(identifyOperation),
        },
      ],
      securitySchemes: { publishableKey: publishableKeyScheme },
      pages: [
        {
          path: '/docs/visitors',
          name: 'Visitors',
          about: 'Recognizing the browsers that visit a website.',
          page: () => visitorsPage,
          demonstration: {
            html: demonstration,
            script: { path: '/docs/assets/visitors.js', text: demonstrationScript },
          },
        },
        {
          path: changelogPath,
          name: 'Visitor changelog',
          about: 'Changes of the shape of a visitor.',
          page: () => changelogPage,
        },
      ],
      limits: [
        { kind: 'heading', text: 'Visitors' },
        {
          kind: 'table',
          caption: 'Limits of the identify call, and retention of its results',
          columns: ['What', 'Limit'],
          rows: limitRows,
        },
      ],
    },
    background: {
      scheduled: ({ log }, worker) => [
        repeat('expired visitors', sweepMs, log, async (signal) => {
          const swept = await sweepVisitors(worker, new Date(), signal);
          if (swept.visitors + swept.identifications > 0) log.info(swept, 'Deleted expired visitors');
        }),
      ],
    },
  };
}
