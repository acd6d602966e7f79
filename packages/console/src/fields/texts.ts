/** Texts of fields: about people without a visible name, and values that another record has. */
import type { FeatureTexts } from '../text/feature.ts';

export const texts = {
  drag: { en: 'Drag to move', de: 'Zum Verschieben ziehen' },
  system: { en: 'The system', de: 'Das System' },
  service: { en: '{name} (service member)', de: '{name} (Dienstmitglied)' },
  taken: { en: '“{value}” is already used by', de: '„{value}“ wird bereits verwendet von' },
  former: { en: 'A former member', de: 'Ein früheres Mitglied' },
} satisfies FeatureTexts;
