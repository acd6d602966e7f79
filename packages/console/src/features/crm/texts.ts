/** What the pages of contacts and companies say. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  reach: { en: 'Contact details', de: 'Kontaktdaten' },
  primary: { en: 'primary', de: 'bevorzugt' },
  owner: { en: 'Owner', de: 'Zuständig' },
  nobody: { en: 'Nobody', de: 'Niemand' },
  stage: { en: 'Stage', de: 'Phase' },
  tags: { en: 'Tags', de: 'Schlagwörter' },
  all: { en: 'Show all', de: 'Alle anzeigen' },
} satisfies FeatureTexts;
