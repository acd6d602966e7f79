/** Webhooks: endpoints, and the deliveries of events to them. */
import { webhookEndpoints } from '@trellis/schema/resources/webhook-endpoints.ts';
import { repeat } from '../../kernel/background/roles.ts';
import type { Feature } from '../../kernel/feature.ts';
import { extend } from '../../kernel/pipeline/extensions.ts';
import { startDeliveryRole } from './delivery-role.ts';
import { endpointRules, endpointStorage } from './endpoints.ts';
import { fanOutToWebhooks } from './fan-out.ts';
import { webhookMessages } from './messages.ts';
import { webhookOperations } from './operations.ts';
import { webhooksPage } from './page.ts';
import { sweepDeliveries } from './retention.ts';
import { webhookCalls, webhookParameters, webhookSchemas } from './schemas.ts';
import type { WebhookSettings } from './settings.ts';

/** In ms. */
const sweepMs = 3_600_000;

/** The feature, with the addresses that may be called and the key of secrets. */
export function webhooksFeature(settings: WebhookSettings): Feature {
  return {
    name: 'webhooks',
    extensions: [extend(webhookEndpoints, { storage: endpointStorage, rules: endpointRules })],
    serve: (context) => ({
      ownOperations: {
        [webhookEndpoints.name]: (model, shared) => webhookOperations(context, settings, model, shared),
      },
    }),
    documents: {
      schemas: webhookSchemas,
      calls: { webhooks: webhookCalls, parameters: webhookParameters },
      messages: webhookMessages,
      pages: [
        {
          path: '/docs/webhooks',
          name: 'Webhooks',
          about: 'Receiving events: promises, signatures, retries, and all types.',
          page: webhooksPage,
        },
      ],
    },
    movedSecrets: settings.sealer,
    background: {
      roles: [
        {
          role: 'delivery',
          omitted: 'does not send webhooks',
          poolSize: 3,
          start: (dependencies, worker) => startDeliveryRole(settings, dependencies, worker),
        },
      ],
      scheduled: ({ log }, worker) => [
        repeat('old webhook deliveries', sweepMs, log, async (signal) => {
          const deleted = await sweepDeliveries(worker, signal);
          if (deleted > 0) log.info({ deleted }, 'Deleted old webhook deliveries');
        }),
      ],
      fanOut: fanOutToWebhooks,
    },
  };
}
