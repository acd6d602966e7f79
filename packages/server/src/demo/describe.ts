/** The summary of the demo that is shown after the start: addresses, and a command to try. */
import type { DemoFile } from './demo-file.ts';

/** Addresses, the token and a `curl` command that works as it is. */
export function describeDemo(demo: DemoFile, file: string): string {
  return [
    '',
    `  API      ${demo.baseUrl}/v1`,
    `  Sandbox  ${demo.sandboxUrl}`,
    `  Docs     ${demo.baseUrl}/docs`,
    ...(demo.publishableKey === undefined
      ? []
      : [`  Visitors ${demo.baseUrl}/docs/visitors?key=${demo.publishableKey}`]),
    `  Token    ${demo.token}`,
    `           (${demo.user} of the organization "${demo.organization}"; also in ${file})`,
    '',
    'Paste this:',
    '',
    `  curl -H 'Authorization: Bearer ${demo.token}' '${demo.baseUrl}/v1/sites/${demo.siteId}/articles?limit=3'`,
    '',
  ].join('\n');
}
