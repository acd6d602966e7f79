/** What galleries of lists say. */
import type { FeatureTexts } from '../text/feature.ts';

export const texts = {
  layout: { en: 'Layout', de: 'Darstellung' },
  table: { en: 'Table', de: 'Tabelle' },
  gallery: { en: 'Gallery', de: 'Galerie' },
  noPicture: { en: 'No picture', de: 'Kein Bild' },
  more: { en: 'Show more', de: 'Mehr anzeigen' },
} as const satisfies FeatureTexts;
