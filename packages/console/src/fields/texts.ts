/** What fields say: about people without a name to show, and values that another record has. */
import type { FeatureTexts } from '../text/feature.ts';

export const texts = {
  system: { en: 'The system', de: 'Das System' },
  service: { en: '{name} (service member)', de: '{name} (Dienstmitglied)' },
  taken: { en: '“{value}” already belongs to', de: '„{value}“ gehört bereits zu' },
  former: { en: 'A former member', de: 'Ein früheres Mitglied' },
} satisfies FeatureTexts;
