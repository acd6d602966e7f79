/** What the library of pictures says. */
import type { FeatureTexts } from '../../../text/feature.ts';

export const texts = {
  search: { en: 'Search pictures', de: 'Bilder durchsuchen' },
  searchPlaceholder: { en: 'Name or what it shows', de: 'Name oder was zu sehen ist' },
  upload: { en: 'Upload pictures', de: 'Bilder hochladen' },
  none: { en: 'No pictures yet', de: 'Noch keine Bilder' },
  noneAbout: {
    en: 'JPEG, PNG, WebP, GIF, AVIF and TIFF files among the knowledge files appear here, also those inserted into articles.',
    de: 'Hier erscheinen JPEG-, PNG-, WebP-, GIF-, AVIF- und TIFF-Dateien, auch die in Artikel eingefügten.',
  },
  noMatch: { en: 'No picture found', de: 'Kein Bild gefunden' },
  noMatchAbout: {
    en: 'Pictures are found by their name, description, labels and alternative text.',
    de: 'Bilder werden über Name, Beschreibung, Schlagwörter und Alternativtext gefunden.',
  },
  noAlternativeText: { en: 'No alternative text', de: 'Kein Alternativtext' },
  notShown: { en: 'Cannot be shown', de: 'Nicht darstellbar' },
  public: { en: 'Public', de: 'Öffentlich' },
  more: { en: 'Show more', de: 'Weitere anzeigen' },
  chooseTitle: { en: 'Choose a picture', de: 'Bild auswählen' },
} satisfies FeatureTexts;
