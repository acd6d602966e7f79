/** What the pages of knowledge files say. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  drop: { en: 'Drop files here, or', de: 'Dateien hier ablegen, oder' },
  choose: { en: 'choose files', de: 'Dateien auswählen' },
  searchedKinds: {
    en: 'Any file can be stored. The search finds words in PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF, HTML, e-mail (EML), Markdown, CSV and text files.',
    de: 'Jede Datei kann gespeichert werden. Die Suche findet Wörter in PDF-, Word-, Excel-, PowerPoint-, OpenDocument-, EPUB-, RTF-, HTML-, E-Mail- (EML), Markdown-, CSV- und Textdateien.',
  },
  uploads: { en: 'Uploads', de: 'Hochgeladene Dateien' },
  visibleTo: { en: 'Visible to', de: 'Sichtbar für' },
  PRIVATE: { en: 'only me', de: 'nur mich' },
  ORGANIZATION: { en: 'all members', de: 'alle Mitglieder' },
  waiting: { en: 'waiting', de: 'wartet' },
  sending: { en: 'uploading', de: 'wird hochgeladen' },
  done: { en: 'stored', de: 'gespeichert' },
  failed: { en: 'failed', de: 'fehlgeschlagen' },
  notConfirmed: {
    en: 'started more than 23 hours ago; try again if still needed',
    de: 'vor mehr als 23 Stunden begonnen; bei Bedarf erneut versuchen',
  },
  cancel: { en: 'Cancel upload of {name}', de: 'Hochladen von {name} abbrechen' },
  forget: { en: 'Remove {name} from this list', de: '{name} aus dieser Liste entfernen' },
  notTaken: {
    en: 'This browser could not store these files, so they were not uploaded: {names}',
    de: 'Dieser Browser konnte diese Dateien nicht speichern, deshalb wurden sie nicht hochgeladen: {names}',
  },
  seenByAll: { en: 'Visible to all members', de: 'Sichtbar für alle Mitglieder' },
  seenBy: { en: 'Visible to', de: 'Sichtbar für' },
  download: { en: 'Download', de: 'Herunterladen' },
  preview: { en: 'Preview', de: 'Vorschau' },
  noPreview: {
    en: 'No preview for this file type. Download the file to view it.',
    de: 'Keine Vorschau für diesen Dateityp. Laden Sie die Datei herunter.',
  },
  openPdf: { en: 'Open in a new tab', de: 'In neuem Tab öffnen' },
  noPdfViewer: {
    en: 'This browser cannot show PDF files in a page. Open the file in a new tab, or download it.',
    de: 'Dieser Browser kann PDF-Dateien nicht in der Seite anzeigen. Öffnen Sie die Datei in einem neuen Tab, oder laden Sie sie herunter.',
  },
  tooLarge: {
    en: 'The file is too large for a preview. Download it to view it.',
    de: 'Die Datei ist zu groß für eine Vorschau. Laden Sie sie herunter.',
  },
  noContent: { en: 'No content has been uploaded yet.', de: 'Es wurde noch kein Inhalt hochgeladen.' },
  extractionFailed: { en: 'Text extraction failed', de: 'Die Textextraktion ist fehlgeschlagen' },
  readingFailed: { en: 'The picture could not be read', de: 'Das Bild konnte nicht gelesen werden' },
  readingPicture: { en: 'The picture is being read.', de: 'Das Bild wird gelesen.' },
  alternativeText: { en: 'Alternative text: {text}', de: 'Alternativtext: {text}' },
  noAlternativeText: {
    en: 'No alternative text: people who do not see the picture are not told what it shows.',
    de: 'Kein Alternativtext: Menschen, die das Bild nicht sehen, erfahren nicht, was es zeigt.',
  },
  shownByPublished: {
    en: '{more, select, true {At least } other {}}{count, plural, one {# {kind, select, article {published article shows} other {published record shows}}} other {# {kind, select, article {published articles show} other {published records show}}}} {files, plural, one {the file} other {the files}}:',
    de: '{more, select, true {Mindestens } other {}}{count, plural, one {# {kind, select, article {veröffentlichter Artikel} other {veröffentlichter Eintrag}} zeigt} other {# {kind, select, article {veröffentlichte Artikel} other {veröffentlichte Einträge}} zeigen}} {files, plural, one {die Datei} other {die Dateien}}:',
  },
  usedByDrafts: {
    en: '{more, select, true {At least } other {}}{kind, select, article {{count, plural, one {# draft mentions} other {# drafts mention}}} other {{count, plural, one {# unpublished record uses} other {# unpublished records use}}}} {files, plural, one {the file} other {the files}}:',
    de: '{more, select, true {Mindestens } other {}}{kind, select, article {{count, plural, one {# Entwurf verwendet} other {# Entwürfe verwenden}}} other {{count, plural, one {# unveröffentlichter Eintrag verwendet} other {# unveröffentlichte Einträge verwenden}}}} {files, plural, one {die Datei} other {die Dateien}}:',
  },
  preventedBy: {
    en: '{more, select, true {At least } other {}}{count, plural, one {# record needs} other {# records need}} {files, plural, one {the file} other {one of the files}}, as {count, plural, one {its cover} other {their covers}} for example:',
    de: '{more, select, true {Mindestens } other {}}{count, plural, one {# Eintrag braucht} other {# Einträge brauchen}} {files, plural, one {die Datei} other {eine der Dateien}}, zum Beispiel als Titelbild:',
  },
  deletedGap: {
    en: 'Readers then see a gap there.',
    de: 'Leser sehen dort dann eine Lücke.',
  },
  coversStay: {
    en: 'These files are not deleted. Choose other ones there first.',
    de: 'Diese Dateien werden nicht gelöscht. Wählen Sie dort zuerst andere.',
  },
  isCover: {
    en: 'This file cannot be deleted while other records use it. Choose another one there first.',
    de: 'Diese Datei lässt sich nicht löschen, solange andere Einträge sie verwenden. Wählen Sie dort zuerst eine andere.',
  },
  isCoverOfArticle: {
    en: 'Articles keep the covers of their published versions: to show another picture there, replace the file instead.',
    de: 'Artikel behalten die Titelbilder ihrer veröffentlichten Versionen: Um dort ein anderes Bild zu zeigen, ersetzen Sie stattdessen die Datei.',
  },
  furtherUses: { en: '… and more', de: '… und weitere' },
  lookingForUses: { en: 'Looking where it is used…', de: 'Verwendungen werden gesucht…' },
  lookedAtFirst: {
    en: 'Only the first {count} files were looked at.',
    de: 'Nur die ersten {count} Dateien wurden angesehen.',
  },
  publicPicture: { en: 'Public picture', de: 'Öffentliches Bild' },
  isPublic: {
    en: 'Public: anybody can load this picture at its address.',
    de: 'Öffentlich: Alle können dieses Bild unter seiner Adresse laden.',
  },
  isNotPublic: {
    en: 'Not public: readers of a website cannot load this picture.',
    de: 'Nicht öffentlich: Leser einer Website können dieses Bild nicht laden.',
  },
  openedAbout: {
    en: 'Only some members see it so far: the whole organization will.',
    de: 'Bisher sehen es nur einige Mitglieder: künftig sieht es die ganze Organisation.',
  },
  copyAddress: { en: 'Copy address', de: 'Adresse kopieren' },
  makePublic: { en: 'Make public', de: 'Öffentlich machen' },
  makePublicTitle: { en: 'Make “{name}” public?', de: '„{name}“ öffentlich machen?' },
  makePublicAbout: {
    en: 'Anybody who has the address can load the picture.',
    de: 'Wer die Adresse hat, kann das Bild laden.',
  },
  saysPlace: {
    en: 'This picture says where it was taken. Readers do not get that.',
    de: 'In diesem Bild steht, wo es aufgenommen wurde. Leser bekommen das nicht.',
  },
  saysCamera: {
    en: 'This picture says with which camera or phone it was taken. Readers do not get that.',
    de: 'In diesem Bild steht, mit welcher Kamera oder welchem Telefon es aufgenommen wurde. Leser bekommen das nicht.',
  },
  saysPlaceAndCamera: {
    en: 'This picture says where it was taken, and with which camera or phone. Readers do not get that.',
    de: 'In diesem Bild steht, wo und mit welcher Kamera oder welchem Telefon es aufgenommen wurde. Leser bekommen das nicht.',
  },
  saysOther: {
    en: 'This picture has notes of a camera or program in it. Readers do not get those.',
    de: 'Dieses Bild enthält Angaben einer Kamera oder eines Programms. Leser bekommen sie nicht.',
  },
  saysNothing: {
    en: 'This picture says nothing about where it was taken, or with what.',
    de: 'In diesem Bild steht nicht, wo oder womit es aufgenommen wurde.',
  },
  readingStatements: {
    en: 'Looking what the picture says about where it was taken…',
    de: 'Es wird nachgesehen, was das Bild über den Ort der Aufnahme sagt…',
  },
  usedIn: { en: 'Used in', de: 'Verwendet in' },
  unused: {
    en: 'No article and no other record refers to this file.',
    de: 'Kein Artikel und kein anderer Eintrag verweist auf diese Datei.',
  },
  allUses: { en: 'Show all {count}', de: 'Alle {count} anzeigen' },
  moreUses: {
    en: 'There are more than these {count}.',
    de: 'Es gibt noch mehr als diese {count}.',
  },
  untitled: { en: 'Untitled', de: 'Ohne Titel' },
  replace: { en: 'Replace', de: 'Ersetzen' },
  replaceTitle: { en: 'Replace “{name}”', de: '„{name}“ ersetzen' },
  replaceAbout: {
    en: 'Another file takes its place. What refers to it shows the new one from then on; name, texts and access stay.',
    de: 'Eine andere Datei nimmt ihren Platz ein. Was darauf verweist, zeigt künftig die neue; Name, Texte und Zugriff bleiben.',
  },
  replacePublicAbout: {
    en: 'The picture is public: readers see the new one instead, as soon as it has been read. Until then it is missing, for a few seconds. Anybody can then load it, without what it says about the place and the camera.',
    de: 'Das Bild ist öffentlich: Leser sehen statt seiner das neue, sobald es gelesen ist. Bis dahin fehlt es, für wenige Sekunden. Alle können es dann laden, ohne Angaben zu Ort und Kamera.',
  },
  newFile: { en: 'New file', de: 'Neue Datei' },
  chooseNew: { en: 'Choose a file', de: 'Datei auswählen' },
  notAPicture: {
    en: 'Choose a picture (JPEG, PNG, WebP, GIF, AVIF or TIFF): texts show this one.',
    de: 'Wählen Sie ein Bild (JPEG, PNG, WebP, GIF, AVIF oder TIFF): Texte zeigen dieses.',
  },
  replacing: { en: 'The new file is being stored.', de: 'Die neue Datei wird gespeichert.' },
  replaced: { en: 'Replaced.', de: 'Ersetzt.' },
  notPublished: {
    en: 'The new picture is stored, but not public: {reason} Readers do not see it until it is made public.',
    de: 'Das neue Bild ist gespeichert, aber nicht öffentlich: {reason} Leser sehen es erst, wenn es öffentlich gemacht wird.',
  },
  unreadable: { en: 'it could not be read.', de: 'Es konnte nicht gelesen werden.' },
  processing: {
    en: 'The text is being extracted. It will be searchable in a moment.',
    de: 'Der Text wird extrahiert. Er ist in Kürze durchsuchbar.',
  },
  searchable: {
    en: '{count, plural, =0 {No text: the search finds this file by its name, description and labels.} one {One character of text is searchable.} other {# characters of text are searchable.}}',
    de: '{count, plural, =0 {Kein Text: Die Suche findet diese Datei an Name, Beschreibung und Schlagwörtern.} one {Ein Zeichen Text ist durchsuchbar.} other {# Zeichen Text sind durchsuchbar.}}',
  },
} satisfies FeatureTexts;
