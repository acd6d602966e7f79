/** What the menu of the person says about languages. */
import type { FeatureTexts } from '../text/feature.ts';

export const texts = {
  language: { en: 'Language', de: 'Sprache' },
  likeBrowser: { en: 'Like the browser', de: 'Wie der Browser' },
} as const satisfies FeatureTexts;
