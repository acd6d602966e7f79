/** The summary of the demo that is shown after the start: addresses, and a command to try. */
import type { DemoFile } from './demo-file.ts';

/**
 * Addresses, the token and a `curl` command that works as it is.
 * @param link signs in to the console; null: there is none
 */
export function describeDemo(demo: DemoFile, file: string, link: string | null): string {
  return [
    '',
    `  API      ${demo.baseUrl}/v1`,
    `  Sandbox  ${demo.sandboxUrl}`,
    `  Docs     ${demo.baseUrl}/docs`,
    `  Visitors ${demo.baseUrl}/docs/visitors?key=${demo.publishableKey}`,
    `  Token    ${demo.token}`,
    `           (${demo.user} of the organization "${demo.organization}"; also in ${file})`,
    '',
    ...(link === null
      ? []
      : ['Open this to sign in to the console (once, within ten minutes):', '', `  ${link}`, '']),
    'Or paste this:',
    '',
    `  curl -H 'Authorization: Bearer ${demo.token}' '${demo.baseUrl}/v1/sites/${demo.siteId}/articles?limit=3'`,
    '',
  ].join('\n');
}
