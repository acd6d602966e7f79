/** Texts of the user menu about languages. */
import type { FeatureTexts } from '../text/feature.ts';

export const texts = {
  language: { en: 'Language', de: 'Sprache' },
  likeBrowser: { en: 'Browser language', de: 'Browsersprache' },
} as const satisfies FeatureTexts;
