/** The features of the product. */
import { access } from './features/access/feature.ts';
import { articleFeature } from './features/articles/feature.ts';
import { crm } from './features/crm/feature.ts';
import { issueFeature } from './features/issues/feature.ts';
import { knowledgeFeature } from './features/knowledge/feature.ts';
import { log } from './features/log/feature.ts';
import { publishing } from './features/publishing/feature.ts';
import { sandbox } from './features/sandbox/feature.ts';
import { trash } from './features/trash/feature.ts';
import { uses } from './features/uses/feature.ts';
import { views } from './features/views/feature.ts';
import { visitorFeature } from './features/visitors/feature.ts';
import { waiting } from './features/waiting/feature.ts';
import { webhookFeature } from './features/webhooks/feature.ts';
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
    access,
    articleFeature,
    issueFeature,
    publishing,
    crm,
    knowledgeFeature(),
    views,
    webhookFeature(createWebhookSettings(settings.cursorKey, settings.webhookAllowPrivate?.split(',') ?? [])),
    visitorFeature({
      key: settings.visitorKey,
      callsPerKey: settings.rateLimitPublishableKey,
      callsPerNetwork: settings.rateLimitNetwork,
    }),
    log,
    waiting,
    trash,
    uses,
    sandbox,
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
