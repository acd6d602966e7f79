/** Webhook endpoints with their deliveries. */
import { lazy } from 'react';
import type { Presentations } from '../../resources/presentation.ts';

const WebhooksPage = lazy(() =>
  import('./WebhooksPage.tsx').then((module) => ({ default: module.WebhooksPage })),
);
const NewEndpointPage = lazy(() =>
  import('./WebhooksPage.tsx').then((module) => ({ default: module.NewEndpointPage })),
);
const WebhookPage = lazy(() =>
  import('./WebhookPage.tsx').then((module) => ({ default: module.WebhookPage })),
);

export const webhookPresentations: Presentations = {
  'webhook-endpoints': { icon: 'webhook', list: WebhooksPage, record: WebhookPage, create: NewEndpointPage },
};
