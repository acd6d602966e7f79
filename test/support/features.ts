/** The features of the servers of tests: without limits, and with what a test replaces. */

import { knowledgeFeature } from '@trellis/server/features/knowledge/feature.ts';
import type { RendererLimits } from '@trellis/server/features/knowledge/pictures/renderer.ts';
import { webhooksFeature } from '@trellis/server/features/webhooks/feature.ts';
import type { WebhookSettings } from '@trellis/server/features/webhooks/settings.ts';
import { createFeatures } from '@trellis/server/features.ts';
import type { Feature } from '@trellis/server/kernel/feature.ts';

export interface TestFeatures {
  readonly cursorKey: Buffer;
  readonly visitorKey: Buffer;
  /** Identify calls a minute; no limits when absent. */
  readonly visitorLimits?: { readonly perKey: number; readonly perNetwork: number } | undefined;
  /** Addresses that webhooks may call; only public ones when absent. */
  readonly webhooks?: WebhookSettings | undefined;
  /** Limits of the making of renditions that differ from the defaults. */
  readonly renditions?: Partial<RendererLimits>;
}

/** Makes the features. */
export function testFeatures(wanted: TestFeatures): readonly Feature[] {
  const { cursorKey, visitorKey, visitorLimits, webhooks, renditions } = wanted;
  const replaced = [
    ...(webhooks === undefined ? [] : [webhooksFeature(webhooks)]),
    ...(renditions === undefined ? [] : [knowledgeFeature(renditions)]),
  ];
  const features = createFeatures({
    cursorKey,
    visitorKey,
    rateLimitPublishableKey: visitorLimits?.perKey ?? 0,
    rateLimitNetwork: visitorLimits?.perNetwork ?? 0,
    webhookAllowPrivate: null,
  });
  return features.map((feature) => replaced.find(({ name }) => name === feature.name) ?? feature);
}
