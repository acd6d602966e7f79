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
  picture: { en: 'Picture', de: 'Bild' },
  dropHere: {
    en: 'Drop a picture here, or paste it.',
    de: 'Legen Sie ein Bild hier ab, oder fügen Sie es ein.',
  },
  uploadOne: { en: 'Upload', de: 'Hochladen' },
  chooseOne: { en: 'Choose', de: 'Auswählen' },
  uploadAnother: { en: 'Upload another', de: 'Anderes hochladen' },
  chooseAnother: { en: 'Replace', de: 'Ersetzen' },
  remove: { en: 'Remove', de: 'Entfernen' },
  removed: { en: 'Removed.', de: 'Entfernt.' },
  replaced: { en: 'Replaced.', de: 'Ersetzt.' },
  notAPicture: {
    en: '“{name}” is no picture. Choose a JPEG, PNG, WebP, GIF, AVIF or TIFF file.',
    de: '„{name}“ ist kein Bild. Wählen Sie eine JPEG-, PNG-, WebP-, GIF-, AVIF- oder TIFF-Datei.',
  },
  notVisible: {
    en: 'You cannot see this picture: it was deleted, or only its owner sees it.',
    de: 'Sie können dieses Bild nicht sehen: Es wurde gelöscht, oder nur die zuständige Person sieht es.',
  },
  noPicture: {
    en: 'This file is no picture, so that nothing is shown.',
    de: 'Diese Datei ist kein Bild, deshalb wird nichts gezeigt.',
  },
  beingRead: { en: 'The picture is being read…', de: 'Das Bild wird gelesen…' },
  seenByReaders: { en: 'Public: readers see it.', de: 'Öffentlich: Leser sehen es.' },
  seenByMembers: {
    en: 'All members see it, readers do not.',
    de: 'Alle Mitglieder sehen es, Leser nicht.',
  },
  seenBySome: {
    en: 'Only some members see it, readers do not.',
    de: 'Nur einige Mitglieder sehen es, Leser nicht.',
  },
  newTitle: { en: 'A new picture', de: 'Ein neues Bild' },
  shows: { en: 'What does the picture show?', de: 'Was zeigt das Bild?' },
  showsAbout: {
    en: 'Read to people who do not see it.',
    de: 'Wird Menschen vorgelesen, die es nicht sehen.',
  },
  whoSees: { en: 'Who may see it?', de: 'Wer darf es sehen?' },
  PUBLIC: { en: 'Everybody, readers as well', de: 'Alle, auch Leser' },
  'about.PUBLIC': {
    en: 'For what is published: anybody can load the picture.',
    de: 'Für das, was veröffentlicht ist: Alle können das Bild laden.',
  },
  ORGANIZATION: { en: 'All members', de: 'Alle Mitglieder' },
  'about.ORGANIZATION': {
    en: 'Readers see it when it is made public.',
    de: 'Leser sehen es, wenn es öffentlich gemacht wird.',
  },
  PRIVATE: { en: 'Only me', de: 'Nur ich' },
  'about.PRIVATE': {
    en: 'Others who open the record see that there is a picture, and not which.',
    de: 'Wer sonst den Eintrag öffnet, sieht nur, dass es ein Bild gibt.',
  },
  use: { en: 'Use picture', de: 'Bild verwenden' },
  hiddenFromReaders: {
    en: 'The picture “{name}” is not public: readers do not see it.',
    de: 'Das Bild „{name}“ ist nicht öffentlich: Leser sehen es nicht.',
  },
} satisfies FeatureTexts;
