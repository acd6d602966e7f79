/** Why cells of a list cannot be edited there. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  fixed: {
    en: '“{field}” cannot be changed in the list.',
    de: '„{field}“ lässt sich in der Liste nicht ändern.',
  },
  onPage: {
    en: 'Open the record to change “{field}”.',
    de: 'Öffnen Sie den Eintrag, um „{field}“ zu ändern.',
  },
} as const satisfies FeatureTexts;
