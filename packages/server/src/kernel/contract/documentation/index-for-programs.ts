/** The file /llms.txt: the documents and pages of this server for programs that read texts (https://llmstxt.org). */
import { problemCatalogue } from '@trellis/schema/problem.ts';
import { markdownPath } from './page.ts';
import type { Place } from './places.ts';

/** The file. `origin`: scheme, host and port of the server. */
export function renderIndexForPrograms(places: readonly Place[], origin: string): string {
  const lineOf = (path: string, name: string, about: string) => `- [${name}](${origin}${path}): ${about}`;
  return `# Trellis

> The documentation of a Trellis server: a backend for content (sites, articles, books, magazines) and customers (contacts, companies) with an HTTP API.

Calls need a token: \`Authorization: Bearer <token>\`. The documents and pages below need none.

## Documents

${lineOf('/docs/openapi.json', 'OpenAPI', 'Every operation of the tenant API with its parameters, bodies, responses and errors.')}
${lineOf('/docs/asyncapi.json', 'AsyncAPI', 'Every event, as webhooks receive it.')}
${lineOf('/auth/openapi.json', 'OpenAPI of signing in', 'Sessions, passwords and invitations of people.')}
${lineOf('/sandbox/openapi.json', 'OpenAPI of the sandbox', 'A plant store to try clients with.')}

## Pages

${places
  .filter(({ path }) => path !== '/docs')
  .map(({ path, name, about }) => lineOf(markdownPath(path), name, about))
  .join('\n')}

## Optional

${Object.entries(problemCatalogue)
  .map(([code, { title }]) => lineOf(markdownPath(`/docs/errors/${code}`), code, `${title}.`))
  .join('\n')}
`;
}
