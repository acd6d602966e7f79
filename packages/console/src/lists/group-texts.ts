/** What the groups of a list say. */
import type { FeatureTexts } from '../text/feature.ts';

export const texts = {
  groups: { en: '{name}: groups', de: '{name}: Gruppen' },
  all: { en: 'All', de: 'Alle' },
  orMore: { en: '{count, number} or more', de: '{count, number} oder mehr' },
  none: { en: 'None', de: 'Ohne' },
} as const satisfies FeatureTexts;
