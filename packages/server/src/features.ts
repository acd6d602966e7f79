/** The features of the product. */
import { accessFeature } from './features/access/feature.ts';
import { articlesFeature } from './features/articles/feature.ts';
import { crmFeature } from './features/crm/feature.ts';
import { issuesFeature } from './features/issues/feature.ts';
import { knowledgeFeature } from './features/knowledge/feature.ts';
import { logFeature } from './features/log/feature.ts';
import { publishingFeature } from './features/publishing/feature.ts';
import { sandboxFeature } from './features/sandbox/feature.ts';
import { trashFeature } from './features/trash/feature.ts';
import { usesFeature } from './features/uses/feature.ts';
import { viewsFeature } from './features/views/feature.ts';
import { visitorsFeature } from './features/visitors/feature.ts';
import { waitingFeature } from './features/waiting/feature.ts';
import { webhooksFeature } from './features/webhooks/feature.ts';
import { createWebhookSettings } from './features/webhooks/settings.ts';
import type { Feature } from './kernel/feature.ts';
import { makeModels } from './kernel/pipeline/extensions.ts';
import type { Models } from './kernel/pipeline/model.ts';

/** What an operator sets of features, and the keys of the installation, of 32 bytes each. */
export interface FeatureSettings {
  readonly cursorKey: Buffer;
  readonly visitorKey: Buffer;
  /** Calls a minute; 0 is no limit. */
  readonly rateLimitPublishableKey: number;
  readonly rateLimitNetwork: number;
  /** Private ranges that webhooks may call, in CIDR notation, separated by commas; null: none. */
  readonly webhookAllowPrivate: string | null;
}

/** Makes the features of a process. */
export function createFeatures(settings: FeatureSettings): readonly Feature[] {
  return [
    accessFeature,
    articlesFeature,
    issuesFeature,
    publishingFeature,
    crmFeature,
    knowledgeFeature(),
    viewsFeature,
    webhooksFeature(
      createWebhookSettings(settings.cursorKey, settings.webhookAllowPrivate?.split(',') ?? []),
    ),
    visitorsFeature({
      key: settings.visitorKey,
      callsPerKey: settings.rateLimitPublishableKey,
      callsPerNetwork: settings.rateLimitNetwork,
    }),
    logFeature,
    waitingFeature,
    trashFeature,
    usesFeature,
    sandboxFeature,
  ];
}

/** The features without a process: for documents and models, which no setting changes. */
export const describedFeatures: readonly Feature[] = createFeatures({
  cursorKey: Buffer.alloc(32),
  visitorKey: Buffer.alloc(32),
  rateLimitPublishableKey: 0,
  rateLimitNetwork: 0,
  webhookAllowPrivate: null,
});

/** Makes the models of all resources; called once, at start. */
export function createModels(): Models {
  return makeModels(describedFeatures.flatMap(({ extensions = [] }) => extensions));
}
