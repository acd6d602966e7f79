/** What the pages of knowledge files say. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  drop: { en: 'Drop files here, or', de: 'Dateien hier ablegen, oder' },
  choose: { en: 'choose files', de: 'Dateien auswählen' },
  uploads: { en: 'Uploads', de: 'Hochgeladene Dateien' },
  visibleTo: { en: 'Visible to', de: 'Sichtbar für' },
  PRIVATE: { en: 'only me', de: 'nur mich' },
  ORGANIZATION: { en: 'every member', de: 'alle Mitglieder' },
  waiting: { en: 'waiting', de: 'wartet' },
  sending: { en: 'uploading', de: 'wird hochgeladen' },
  done: { en: 'stored', de: 'gespeichert' },
  failed: { en: 'failed', de: 'gescheitert' },
  notConfirmed: {
    en: 'begun more than 23 hours ago; try again if it is still wanted',
    de: 'vor mehr als 23 Stunden begonnen; bei Bedarf erneut versuchen',
  },
  cancel: { en: 'Cancel the upload of {name}', de: 'Hochladen von {name} abbrechen' },
  forget: { en: 'Remove {name} from this list', de: '{name} aus dieser Liste entfernen' },
  notTaken: {
    en: 'This browser could not store these files, so they are not uploaded: {names}',
    de: 'Dieser Browser konnte diese Dateien nicht aufbewahren, deshalb werden sie nicht hochgeladen: {names}',
  },
  seenByAll: { en: 'Every member may see it.', de: 'Alle Mitglieder dürfen sie sehen.' },
  seenBy: { en: 'May be seen by', de: 'Zu sehen für' },
  download: { en: 'Download', de: 'Herunterladen' },
  preview: { en: 'Preview', de: 'Vorschau' },
  noPreview: {
    en: 'There is no preview of this kind of file. Download it to see it.',
    de: 'Für diese Art von Datei gibt es keine Vorschau. Laden Sie sie herunter.',
  },
  openPdf: { en: 'Open in a new tab', de: 'In neuem Tab öffnen' },
  noPdfViewer: {
    en: 'This browser does not show PDF files in a page. Open it in a new tab, or download it.',
    de: 'Dieser Browser zeigt keine PDF-Dateien in einer Seite. Öffnen Sie die Datei in einem neuen Tab, oder laden Sie sie herunter.',
  },
  tooLarge: {
    en: 'The file is too large for a preview. Download it to see it.',
    de: 'Die Datei ist zu groß für eine Vorschau. Laden Sie sie herunter.',
  },
  noContent: { en: 'No content was uploaded yet.', de: 'Es wurde noch kein Inhalt hochgeladen.' },
  extract: { en: 'Read the text again', de: 'Text erneut auslesen' },
  extractionFailed: { en: 'The text could not be read', de: 'Der Text ließ sich nicht auslesen' },
  processing: {
    en: 'The text is being read. It can be searched in a moment.',
    de: 'Der Text wird ausgelesen. Gleich lässt er sich durchsuchen.',
  },
  searchable: {
    en: '{count, plural, one {One character} other {# characters}} of text can be searched.',
    de: '{count, plural, one {Ein Zeichen} other {# Zeichen}} Text lassen sich durchsuchen.',
  },
} satisfies FeatureTexts;
