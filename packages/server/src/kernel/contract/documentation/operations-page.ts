/** The page with every operation of the tenant API, for people and programs that run no scripts. */

import type { Operation, OperationDescription } from '../../http/operation.ts';
import type { DescribedApi } from '../described-api.ts';
import { introductionBlocks, tagsOf } from '../openapi/introduction.ts';
import type { Block, Page } from './page.ts';

/** The page. What a single operation takes and returns is in the OpenAPI document, which it links to. */
export function operationsPage({ operations, features }: DescribedApi): Page {
  const open = features.flatMap(({ publicOperations = [] }) => publicOperations);
  const rows = [...operations.map((operation) => ({ operation, needs: scopesOf(operation) })), ...open];
  return {
    title: 'Operations of the tenant API',
    blocks: [
      {
        kind: 'paragraph',
        text: 'Parameters, bodies and responses of each operation are in the [OpenAPI document](/docs/openapi.json).',
      },
      ...introductionBlocks(''),
      ...tagsOf({ operations, features }).flatMap(({ name, description }): Block[] => [
        { kind: 'heading', text: name },
        { kind: 'paragraph', text: description },
        {
          kind: 'table',
          caption: `Operations: ${name}`,
          columns: ['Call', 'What it does', 'Scopes'],
          rows: rows
            .filter(({ operation }) => operation.tag === name)
            .map(({ operation, needs }) => [...describe(operation), needs]),
        },
      ]),
    ],
  };
}

function describe({ method, path, summary }: OperationDescription): string[] {
  return [`\`${method} ${path}\``, summary];
}

function scopesOf({ requirement: { scopes } }: Operation): string {
  return scopes.length === 0 ? 'any' : scopes.map((scope) => `\`${scope}\``).join(' ');
}
