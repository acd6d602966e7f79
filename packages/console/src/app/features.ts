/** The features of the console that present records in their own way. `router.tsx` has the other pages. */
import { articlePresentations } from '../features/articles/index.ts';
import { categoryPresentations } from '../features/categories/index.ts';
import { crmPresentations } from '../features/crm/index.ts';
import { knowledgePresentations } from '../features/knowledge/index.ts';
import { publishingPresentations } from '../features/publishing/index.ts';
import { settingsPresentations } from '../features/settings/index.ts';
import { sitePresentations } from '../features/sites/index.ts';
import { viewPresentations } from '../features/views/index.ts';
import { webhookPresentations } from '../features/webhooks/index.ts';
import { registerPresentations } from '../resources/presentation.ts';

/** To be called before the first page is shown. */
export function registerFeatures(): void {
  for (const presentations of [
    articlePresentations,
    categoryPresentations,
    crmPresentations,
    knowledgePresentations,
    publishingPresentations,
    settingsPresentations,
    sitePresentations,
    viewPresentations,
    webhookPresentations,
  ])
    registerPresentations(presentations);
}
