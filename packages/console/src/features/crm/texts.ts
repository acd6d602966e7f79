/** What the pages of contacts and companies say. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  reach: { en: 'Contact details', de: 'Kontaktdaten' },
  primary: { en: 'primary', de: 'bevorzugt' },
  all: { en: 'Show all', de: 'Alle anzeigen' },
} satisfies FeatureTexts;
