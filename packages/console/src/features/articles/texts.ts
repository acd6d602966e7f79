/** What the pages of articles say. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  untitled: { en: 'Untitled', de: 'Ohne Titel' },
  titlePlaceholder: { en: 'Title', de: 'Titel' },
  summaryPlaceholder: {
    en: 'Summary: a few sentences for lists',
    de: 'Zusammenfassung: ein paar Sätze für Listen',
  },
  bodyPlaceholder: {
    en: 'Write in Markdown, or drop an image',
    de: 'Schreiben Sie in Markdown, oder legen Sie ein Bild ab',
  },

  bodyPlaceholderHtml: {
    en: 'Write in HTML, or drop an image',
    de: 'Schreiben Sie in HTML, oder legen Sie ein Bild ab',
  },

  formatLeftOut: {
    en: 'The text was pasted without its format. Smaller parts of it keep theirs.',
    de: 'Der Text wurde ohne seine Formatierung eingefügt. Kleinere Teile davon behalten ihre.',
  },
  picturesLeftOut: {
    en: '{count, plural, one {A picture was not pasted, because readers could not load it. Drop the file here instead.} other {# pictures were not pasted, because readers could not load them. Drop the files here instead.}}',
    de: '{count, plural, one {Ein Bild wurde nicht eingefügt, weil Leser es nicht laden könnten. Legen Sie stattdessen die Datei hier ab.} other {# Bilder wurden nicht eingefügt, weil Leser sie nicht laden könnten. Legen Sie stattdessen die Dateien hier ab.}}',
  },

  saved: { en: 'Saved', de: 'Gespeichert' },
  savedAgo: { en: 'Saved · {ago}', de: 'Gespeichert · {ago}' },
  saving: { en: 'Saving…', de: 'Wird gespeichert…' },
  unsaved: { en: 'Not saved yet', de: 'Noch nicht gespeichert' },
  unsavedHeld: {
    en: 'Not saved: some fields need “Apply for readers”',
    de: 'Nicht gespeichert: Einige Felder erfordern „Für Leser übernehmen“',
  },
  approvedHeld: {
    en: 'Not saved: the article is approved',
    de: 'Nicht gespeichert: Der Artikel ist freigegeben',
  },
  saveFirst: { en: 'Save the approved text first.', de: 'Speichern Sie zuerst den freigegebenen Text.' },
  correctFirst: {
    en: 'Correct the marked fields first.',
    de: 'Korrigieren Sie zuerst die markierten Felder.',
  },
  saveScheduledFirst: {
    en: 'Save the text you entered before it was scheduled first.',
    de: 'Speichern Sie zuerst den Text, den Sie vor dem Planen eingegeben haben.',
  },
  saveApproved: { en: 'Save and approve', de: 'Speichern und freigeben' },
  needsExplicitSave: {
    en: 'it has been approved or published',
    de: 'inzwischen freigegeben oder veröffentlicht',
  },
  scheduledMeanwhile: {
    en: 'it has been scheduled; editing the text returns it to a draft',
    de: 'inzwischen geplant; eine Änderung am Text macht ihn wieder zum Entwurf',
  },
  saveAnyway: { en: 'Save anyway', de: 'Trotzdem speichern' },
  offline: { en: 'Kept in this browser · {reason}', de: 'In diesem Browser aufbewahrt · {reason}' },
  offlineMemory: { en: 'In this tab only · {reason}', de: 'Nur in diesem Tab · {reason}' },
  notSaved: { en: 'Not saved: {reason}', de: 'Nicht gespeichert: {reason}' },
  notSavedConflict: {
    en: 'Not saved: someone else changed the same text',
    de: 'Nicht gespeichert: Jemand anderes hat dieselbe Stelle geändert',
  },
  decide: { en: 'Resolve', de: 'Konflikt lösen' },
  giveUp: { en: 'Discard the change', de: 'Änderung verwerfen' },
  fieldsAtFault: { en: 'some fields need your attention', de: 'Bitte prüfen Sie die markierten Felder' },

  text: { en: 'Text', de: 'Text' },
  preview: { en: 'Preview', de: 'Vorschau' },
  details: { en: 'Details', de: 'Details' },
  versions: { en: 'Versions', de: 'Fassungen' },
  view: { en: 'View', de: 'Ansicht' },
  tools: { en: 'Formatting', de: 'Formatierung' },
  moreTools: { en: 'More tools', de: 'Weitere Werkzeuge' },
  bold: { en: 'Bold', de: 'Fett' },
  italic: { en: 'Italic', de: 'Kursiv' },
  heading: { en: 'Heading', de: 'Überschrift' },
  list: { en: 'List', de: 'Liste' },
  quote: { en: 'Quote', de: 'Zitat' },
  code: { en: 'Code', de: 'Code' },
  link: { en: 'Link', de: 'Link' },
  image: { en: 'Insert an image or a file', de: 'Bild oder Datei einfügen' },
  library: { en: 'Insert a picture of the library', de: 'Bild aus der Bibliothek einfügen' },
  find: { en: 'Find and replace', de: 'Suchen und ersetzen' },
  contents: { en: 'Table of contents', de: 'Inhaltsverzeichnis' },
  noHeadings: { en: 'There are no headings yet.', de: 'Es gibt noch keine Überschriften.' },
  fullScreen: { en: 'Full screen', de: 'Vollbild' },
  leaveFullScreen: { en: 'Exit full screen', de: 'Vollbild verlassen' },
  words: {
    en: '{count, plural, one {# word} other {# words}}',
    de: '{count, plural, one {# Wort} other {# Wörter}}',
  },
  minutes: {
    en: '{count, plural, one {# minute} other {# minutes}} to read',
    de: '{count, plural, one {# Minute} other {# Minuten}} Lesezeit',
  },
  bytes: { en: '{size} of {most} KiB', de: '{size} von {most} KiB' },
  tooLong: { en: 'Too long: {size} of {most} KiB', de: 'Zu lang: {size} von {most} KiB' },

  lockedScheduled: {
    en: 'Scheduled for {date}. To correct it, return it to a draft: it keeps its date.',
    de: 'Geplant für {date}. Zum Korrigieren machen Sie den Artikel wieder zum Entwurf: Er behält sein Datum.',
  },
  plannedFor: {
    en: 'Planned for {date}. Readers see it then only if it is scheduled.',
    de: 'Eingeplant für {date}. Leser sehen den Artikel dann nur, wenn auch seine Veröffentlichung geplant ist.',
  },
  scheduleAgain: { en: 'Schedule for this time', de: 'Veröffentlichung für diesen Zeitpunkt planen' },
  backToDraft: { en: 'Return to draft and edit', de: 'Zum Entwurf machen und bearbeiten' },
  lockedApproved: {
    en: 'Approved. Only members who can publish may change it. {reason}',
    de: 'Freigegeben. Nur wer veröffentlichen darf, kann den Artikel noch ändern. {reason}',
  },
  lockedOwn: { en: 'You can change only your own articles.', de: 'Sie dürfen nur eigene Artikel ändern.' },
  opensDraft: {
    en: 'Readers see version {number}. Your edits become a draft of the next version.',
    de: 'Leser sehen Fassung {number}. Ihre Änderungen werden zum Entwurf der nächsten Fassung.',
  },
  opensDraftUnseen: {
    en: 'Readers do not see this article. Your edits become a draft of the next version.',
    de: 'Leser sehen diesen Artikel nicht. Ihre Änderungen werden zum Entwurf der nächsten Fassung.',
  },
  besideDraft: {
    en: 'This is the draft of version {draft}. Readers see version {number} until you publish.',
    de: 'Dies ist der Entwurf der Fassung {draft}. Leser sehen Fassung {number}, bis Sie veröffentlichen.',
  },
  scheduleFailed: {
    en: 'A scheduled change failed',
    de: 'Eine geplante Änderung ist fehlgeschlagen',
  },
  seenAtOnce: {
    en: 'Readers see changes to these fields immediately, so they are not saved automatically.',
    de: 'Änderungen an diesen Feldern sehen Leser sofort. Sie werden deshalb nicht automatisch gespeichert.',
  },
  apply: { en: 'Apply for readers', de: 'Für Leser übernehmen' },
  discard: { en: 'Discard', de: 'Verwerfen' },
  discarded: { en: 'Discarded.', de: 'Verworfen.' },

  organize: { en: 'Topics and authors', de: 'Themen und Autoren' },
  address: { en: 'Address and access', de: 'Adresse und Zugriff' },
  content: { en: 'About the text', de: 'Zum Text' },
  seo: { en: 'Search engines', de: 'Suchmaschinen' },
  seoPreview: { en: 'Search result preview', de: 'Vorschau als Suchergebnis' },
  noIndexShown: {
    en: 'Hidden from search engines (noindex).',
    de: 'Für Suchmaschinen ausgeblendet (noindex).',
  },
  noDescription: {
    en: 'Without a description or summary, search engines show an excerpt of the text.',
    de: 'Ohne Beschreibung oder Zusammenfassung zeigen Suchmaschinen einen Ausschnitt des Textes.',
  },
  createOption: { en: 'Create “{name}”', de: '„{name}“ anlegen' },
  inIssue: {
    en: '{published, select, true {In issue {issue} of {magazine}} other {In issue {issue} of {magazine}, not yet published}}',
    de: '{published, select, true {In Ausgabe {issue} von {magazine}} other {In Ausgabe {issue} von {magazine}, noch nicht veröffentlicht}}',
  },
  inFurtherIssues: { en: '… and in more issues', de: '… und in weiteren Ausgaben' },
  more: { en: 'Details', de: 'Details' },

  status: { en: 'Status: {status}', de: 'Status: {status}' },
  'move.IN_REVIEW': { en: 'Submit for review', de: 'Zur Prüfung einreichen' },
  'move.APPROVED': { en: 'Approve', de: 'Freigeben' },
  'move.DRAFT': { en: 'Back to draft', de: 'Zurück zum Entwurf' },
  'move.SCHEDULED': { en: 'Schedule…', de: 'Veröffentlichung planen…' },
  'move.PUBLISHED': { en: 'Publish', de: 'Veröffentlichen' },
  'move.UNPUBLISHED': { en: 'Unpublish', de: 'Zurückziehen' },
  'move.ARCHIVED': { en: 'Archive', de: 'Archivieren' },
  noOther: {
    en: 'No other status can follow “{status}”.',
    de: 'Auf „{status}“ kann kein anderer Status folgen.',
  },
  moveFailed: { en: 'The status was not changed', de: 'Der Status wurde nicht geändert' },
  changedMeanwhile: {
    en: 'Someone changed the article. Review it, then try again.',
    de: 'Jemand hat den Artikel inzwischen geändert. Prüfen Sie ihn, und versuchen Sie es erneut.',
  },
  givenUp: {
    en: 'Canceled, because the edits it belongs to were not saved.',
    de: 'Abgebrochen, weil die zugehörigen Änderungen nicht gespeichert wurden.',
  },
  publishTitle: { en: 'Publish “{title}”?', de: '„{title}“ veröffentlichen?' },
  publishAbout: { en: 'Readers will see it immediately.', de: 'Leser sehen ihn sofort.' },
  published: {
    en: 'Published. Readers may have seen it, so there is no undo: unpublish it instead.',
    de: 'Veröffentlicht. Leser haben ihn vielleicht schon gesehen, daher kein Rückgängig: Ziehen Sie ihn stattdessen zurück.',
  },
  copyAddress: { en: 'Copy API address', de: 'API-Adresse kopieren' },
  addressCopied: {
    en: 'Copied. A request to this address needs an API token.',
    de: 'Kopiert. Eine Anfrage an diese Adresse braucht ein API-Token.',
  },
  addressToCopy: {
    en: 'The browser does not allow copying. The address: {address}',
    de: 'Der Browser erlaubt das Kopieren nicht. Die Adresse: {address}',
  },
  hiddenPictures: {
    en: '{count, plural, one {This picture is} other {These pictures are}} not public, and missing for readers:',
    de: '{count, plural, one {Dieses Bild ist nicht öffentlich und fehlt} other {Diese Bilder sind nicht öffentlich und fehlen}} Lesern:',
  },
  makePicturesPublic: { en: 'Make public as well', de: 'Ebenfalls öffentlich machen' },
  makePicturesPublicNow: { en: 'Make public now', de: 'Jetzt öffentlich machen' },
  makePicturesPublicAbout: {
    en: '{count, plural, one {Anybody can then load it, without what it says about the place and the camera.} other {Anybody can then load them, without what they say about the place and the camera.}}',
    de: '{count, plural, one {Alle können es dann laden, ohne Angaben zu Ort und Kamera.} other {Alle können sie dann laden, ohne Angaben zu Ort und Kamera.}}',
  },
  picturesOpened: {
    en: 'Only some members see {names} so far: the whole organization will.',
    de: 'Bisher sehen nur einige Mitglieder {names}: künftig die ganze Organisation.',
  },
  picturesBeingRead: {
    en: 'The server is still reading the pictures. One moment, or publish without them.',
    de: 'Der Server liest die Bilder noch. Einen Moment, oder ohne sie veröffentlichen.',
  },
  missingPictures: {
    en: '{count, plural, one {One picture} other {# pictures}} in the text cannot be found: deleted, no picture any more, or not visible to you.',
    de: '{count, plural, one {Ein Bild} other {# Bilder}} im Text nicht gefunden: gelöscht, kein Bild mehr oder für Sie nicht sichtbar.',
  },
  missingGap: { en: 'Readers see a gap there.', de: 'Leser sehen dort eine Lücke.' },
  missingMarked: {
    en: '{count, plural, one {It is marked in the text: choose another picture, or remove it.} other {They are marked in the text: choose other pictures, or remove them.}}',
    de: '{count, plural, one {Die Stelle ist im Text markiert: Wählen Sie ein anderes Bild, oder entfernen Sie es.} other {Die Stellen sind im Text markiert: Wählen Sie andere Bilder, oder entfernen Sie sie.}}',
  },
  pictureMissing: { en: 'picture missing', de: 'Bild fehlt' },
  alternativeTitle: {
    en: '{count, plural, one {What does the picture show?} other {What do the pictures show?}}',
    de: '{count, plural, one {Was zeigt das Bild?} other {Was zeigen die Bilder?}}',
  },
  alternativeAbout: {
    en: 'This alternative text is read to people who do not see the picture. Leave it empty only for decoration.',
    de: 'Dieser Alternativtext wird Menschen vorgelesen, die das Bild nicht sehen. Lassen Sie ihn nur bei Schmuckbildern leer.',
  },
  insert: { en: 'Insert', de: 'Einfügen' },
  publishEmpty: { en: 'It has no text yet.', de: 'Er hat noch keinen Text.' },
  someEmpty: {
    en: '{count, plural, one {One article has} other {# articles have}} no text yet: {names}.',
    de: '{count, plural, one {Ein Artikel hat} other {# Artikel haben}} noch keinen Text: {names}.',
  },
  further: { en: 'more', de: 'weitere' },
  lookedAtFirst: {
    en: 'Only the first {count} articles were looked at.',
    de: 'Nur die ersten {count} Artikel wurden angesehen.',
  },
  scheduleTitle: { en: 'Schedule “{title}”', de: 'Veröffentlichung von „{title}“ planen' },
  publishOn: { en: 'Publish on', de: 'Veröffentlichen am' },
  unpublishOn: { en: 'Unpublish on (optional)', de: 'Zurückziehen am (optional)' },
  inZone: { en: 'In the time zone of the site: {zone}', de: 'In der Zeitzone der Website: {zone}' },
  inOwnZone: { en: 'For you ({zone}): {date}', de: 'Für Sie ({zone}): {date}' },
  sameZone: { en: 'This is also your time zone.', de: 'Das ist auch Ihre Zeitzone.' },
  timePassed: {
    en: 'This time has passed. Choose a later one.',
    de: 'Dieser Zeitpunkt ist vorbei. Wählen Sie einen späteren.',
  },
  schedule: { en: 'Schedule', de: 'Planen' },

  conflictAbout: {
    en: 'Someone else saved changes while you were writing. Everything else has been merged. Choose what to keep.',
    de: 'Jemand anderes hat gespeichert, während Sie geschrieben haben. Alles andere wurde zusammengeführt. Wählen Sie, was bleiben soll.',
  },
  empty: { en: 'empty', de: 'leer' },

  returnTitle: { en: 'Send “{title}” back?', de: '„{title}“ zurückgeben?' },
  returnNote: { en: 'What is missing?', de: 'Was fehlt noch?' },
  returnAbout: {
    en: 'A sentence for the author, who sees it on the home page and here. Readers do not see it.',
    de: 'Ein Satz für den Autor, der ihn auf der Startseite und hier sieht. Leser sehen ihn nicht.',
  },
  return: { en: 'Send back', de: 'Zurückgeben' },
  sentBack: { en: 'Sent back by {name}.', de: 'Zurückgegeben von {name}.' },
  quoted: { en: '“{text}”', de: '„{text}“' },
  submitted: { en: 'Submitted for review', de: 'Zur Prüfung eingereicht' },

  version: { en: 'Version {number}', de: 'Fassung {number}' },
  compareWith: { en: 'Compare with', de: 'Vergleichen mit' },
  compare: {
    en: 'Changes from version {from} to version {to}',
    de: 'Änderungen von Fassung {from} zu Fassung {to}',
  },
  sameText: { en: 'The text is the same.', de: 'Der Text ist gleich.' },
  notCompared: {
    en: 'These texts are too long to compare. This is the text of the version.',
    de: 'Diese Texte sind zu lang für einen Vergleich. Dies ist der Text der Fassung.',
  },
  unchangedLines: { en: '$ unchanged lines', de: '$ unveränderte Zeilen' },
  onlyLineEnds: { en: 'Only line endings differ.', de: 'Nur die Zeilenenden unterscheiden sich.' },
  onlyVersion: { en: 'This is the only version.', de: 'Bisher gibt es nur diese Fassung.' },
  moreVersions: { en: 'Show older versions', de: 'Ältere Fassungen anzeigen' },
  restore: { en: 'Restore version {number}', de: 'Fassung {number} wiederherstellen' },
  restoreAbout: {
    en: 'Its content becomes the draft. Nothing is published.',
    de: 'Ihr Inhalt wird zum Entwurf. Es wird nichts veröffentlicht.',
  },
  restoreTitle: { en: 'Restore version {number}?', de: 'Fassung {number} wiederherstellen?' },
  restoreReplaces: {
    en: 'Version {number} replaces the draft. The draft is kept as version {draft} and can be restored.',
    de: 'Fassung {number} ersetzt den Entwurf. Der bisherige Entwurf bleibt als Fassung {draft} erhalten und lässt sich wiederherstellen.',
  },
  restoreLast: { en: 'Draft last changed by {by},', de: 'Entwurf zuletzt geändert von {by},' },
  restored: { en: 'Version {number} is now the draft.', de: 'Fassung {number} ist jetzt der Entwurf.' },
  restoredBeside: {
    en: 'Version {number} is now the draft. The previous draft is kept as version {kept}.',
    de: 'Fassung {number} ist jetzt der Entwurf. Der bisherige Entwurf bleibt als Fassung {kept} erhalten.',
  },
  decideFirst: {
    en: 'Resolve the conflict first.',
    de: 'Lösen Sie zuerst den Konflikt.',
  },
  changes: { en: 'Changes', de: 'Änderungen' },
  sideBySide: { en: 'Side by side', de: 'Nebeneinander' },
  unified: { en: 'Unified', de: 'In einer Spalte' },

  uploading: { en: 'Uploading {name}…', de: '{name} wird hochgeladen…' },
  uploadRefused: {
    en: 'No file can be uploaded. {reason}',
    de: 'Es kann keine Datei hochgeladen werden. {reason}',
  },
  uploadFailed: { en: '{name} was not uploaded', de: '{name} wurde nicht hochgeladen' },
  imageElsewhere: { en: 'Image from another host: {host}', de: 'Bild von einem anderen Server: {host}' },
  previewPlain: {
    en: 'This text is too complex to render, so its source is shown.',
    de: 'Dieser Text ist zu komplex für die Darstellung, deshalb sehen Sie den Quelltext.',
  },
  previewCut: {
    en: 'This text is too large for a full preview. Some parts are omitted.',
    de: 'Dieser Text ist zu groß für eine vollständige Vorschau. Einige Teile fehlen.',
  },
  previewUnclosed: {
    en: 'An HTML element in this text is not closed. The text after it is not shown.',
    de: 'Ein HTML-Element in diesem Text ist nicht geschlossen. Der Text danach wird nicht angezeigt.',
  },
  previewSiteLinks: {
    en: 'Links with a dotted underline are relative to the site. They work there, but not in this preview.',
    de: 'Gepunktet unterstrichene Links sind relativ zur Website. Sie funktionieren dort, aber nicht in dieser Vorschau.',
  },
  linkOnSite: {
    en: 'Works on the site only: {address}',
    de: 'Funktioniert nur auf der Website: {address}',
  },
  editorPlain: {
    en: 'Syntax highlighting is off, because this text is too complex.',
    de: 'Die Syntaxhervorhebung ist aus, weil dieser Text zu komplex ist.',
  },
  moreHeadings: {
    en: 'Only the first {count} headings are shown.',
    de: 'Es werden nur die ersten {count} Überschriften angezeigt.',
  },
  previewTitle: { en: 'Preview of the text', de: 'Vorschau des Textes' },

  newTitle: { en: 'New article', de: 'Neuer Artikel' },
  newAbout: {
    en: 'It starts as a draft that readers cannot see.',
    de: 'Er beginnt als Entwurf, den Leser nicht sehen.',
  },
  go: { en: 'Start writing', de: 'Schreiben beginnen' },
} satisfies FeatureTexts;

/** What the panel of find and replace says, by the phrases that CodeMirror asks for. */
export const searchTexts = {
  Find: { en: 'Find', de: 'Suchen' },
  Replace: { en: 'Replace with', de: 'Ersetzen durch' },
  next: { en: 'Next', de: 'Weiter' },
  previous: { en: 'Previous', de: 'Zurück' },
  all: { en: 'Select all', de: 'Alle wählen' },
  'match case': { en: 'Match case', de: 'Groß-/Kleinschreibung' },
  regexp: { en: 'Regular expression', de: 'Regulärer Ausdruck' },
  'by word': { en: 'Whole words', de: 'Ganze Wörter' },
  replace: { en: 'Replace', de: 'Ersetzen' },
  'replace all': { en: 'Replace all', de: 'Alle ersetzen' },
  close: { en: 'Close', de: 'Schließen' },
  'current match': { en: 'current match', de: 'aktueller Treffer' },
  'on line': { en: 'on line', de: 'in Zeile' },
  'replaced $ matches': { en: 'replaced $ matches', de: '$ Treffer ersetzt' },
  'replaced match on line $': { en: 'replaced match on line $', de: 'Treffer in Zeile $ ersetzt' },
  'Go to line': { en: 'Go to line', de: 'Gehe zu Zeile' },
  go: { en: 'Go', de: 'Los' },
} satisfies FeatureTexts;
