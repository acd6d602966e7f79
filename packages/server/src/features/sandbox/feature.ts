/** The plant store (interface A), with errors of its own format. */

import { limitsOf } from '../../kernel/contract/documentation/limits-page.ts';
import type { Feature } from '../../kernel/feature.ts';
import { SandboxError } from './errors.ts';
import { registerSandbox } from './http/routes.ts';
import { renderSandboxError } from './refusals.ts';

export const sandboxFeature: Feature = {
  name: 'sandbox',
  serve: (context) => ({
    register: (app, { takeTenant, sandboxUrl }) => registerSandbox(app, context, takeTenant, sandboxUrl),
  }),
  errorFormat: {
    segment: 'sandbox',
    isOwn: (error) => error instanceof SandboxError,
    render: renderSandboxError,
  },
  documents: {
    limits: [
      { kind: 'heading', text: 'Sandbox' },
      limitsOf('Limits of the sandbox', (name) => name.startsWith('plant')),
    ],
  },
};
