/** What stands for people who have no name to show. */
import type { FeatureTexts } from '../text/feature.ts';

export const texts = {
  system: { en: 'The system', de: 'Das System' },
  service: { en: '{name} (service member)', de: '{name} (Dienstmitglied)' },
  former: { en: 'A former member', de: 'Ein früheres Mitglied' },
} satisfies FeatureTexts;
