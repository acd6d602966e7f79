/** Why: the first thing a person sees: where everything is, and one line to paste. */
import type { DemoFile } from './demo-file.ts';

/** Addresses, token and a `curl` line that works as it stands. */
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
