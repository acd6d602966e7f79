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

  saved: { en: 'Saved', de: 'Gespeichert' },
  savedAgo: { en: 'Saved · {ago}', de: 'Gespeichert · {ago}' },
  saving: { en: 'Saving…', de: 'Wird gespeichert…' },
  unsaved: { en: 'Not saved yet', de: 'Noch nicht gespeichert' },
  unsavedHeld: {
    en: 'Not saved: some fields wait for “Show readers”',
    de: 'Nicht gespeichert: Einige Felder warten auf „Lesern zeigen“',
  },
  approvedHeld: {
    en: 'Not saved: the article is approved',
    de: 'Nicht gespeichert: Der Artikel ist freigegeben',
  },
  saveFirst: { en: 'Save the approved text first.', de: 'Speichern Sie zuerst den freigegebenen Text.' },
  saveScheduledFirst: {
    en: 'Save first what was typed before it was scheduled.',
    de: 'Speichern Sie zuerst, was vor dem Planen geschrieben wurde.',
  },
  saveApproved: { en: 'Save and approve', de: 'Speichern und freigeben' },
  needsRequest: {
    en: 'approved or published meanwhile',
    de: 'inzwischen freigegeben oder veröffentlicht',
  },
  scheduledMeanwhile: {
    en: 'scheduled meanwhile; an edit of the text takes it back to a draft',
    de: 'inzwischen geplant; eine Änderung am Text macht ihn wieder zum Entwurf',
  },
  saveAnyway: { en: 'Save anyway', de: 'Trotzdem speichern' },
  offline: { en: 'Kept in this browser · {reason}', de: 'In diesem Browser aufbewahrt · {reason}' },
  offlineMemory: { en: 'In this tab only · {reason}', de: 'Nur in diesem Tab · {reason}' },
  notSaved: { en: 'Not saved: {reason}', de: 'Nicht gespeichert: {reason}' },
  notSavedConflict: {
    en: 'Not saved: somebody else has changed the same',
    de: 'Nicht gespeichert: Jemand anders hat dasselbe geändert',
  },
  decide: { en: 'Decide', de: 'Entscheiden' },
  giveUp: { en: 'Forget the change', de: 'Änderung verwerfen' },
  fieldsAtFault: { en: 'some fields need your attention', de: 'Einige Felder brauchen Ihre Aufmerksamkeit' },

  text: { en: 'Text', de: 'Text' },
  preview: { en: 'Preview', de: 'Vorschau' },
  details: { en: 'Details', de: 'Details' },
  versions: { en: 'Versions', de: 'Fassungen' },
  view: { en: 'View', de: 'Ansicht' },
  tools: { en: 'Formatting', de: 'Formatierung' },
  bold: { en: 'Bold', de: 'Fett' },
  italic: { en: 'Italic', de: 'Kursiv' },
  heading: { en: 'Heading', de: 'Überschrift' },
  list: { en: 'List', de: 'Liste' },
  quote: { en: 'Quotation', de: 'Zitat' },
  code: { en: 'Code', de: 'Code' },
  link: { en: 'Link', de: 'Verweis' },
  image: { en: 'Insert an image or a file', de: 'Bild oder Datei einfügen' },
  find: { en: 'Find and replace', de: 'Suchen und ersetzen' },
  contents: { en: 'Table of contents', de: 'Inhaltsverzeichnis' },
  noHeadings: { en: 'There are no headings yet.', de: 'Es gibt noch keine Überschriften.' },
  fullScreen: { en: 'Full screen', de: 'Vollbild' },
  leaveFullScreen: { en: 'Leave full screen', de: 'Vollbild verlassen' },
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
    en: 'It will be published on {date}. An edit takes it back to a draft.',
    de: 'Er wird am {date} veröffentlicht. Eine Änderung macht ihn wieder zum Entwurf.',
  },
  backToDraft: { en: 'Take back and edit', de: 'Zurücknehmen und bearbeiten' },
  lockedApproved: {
    en: 'It is approved. Who may not publish cannot change it any more. {reason}',
    de: 'Er ist freigegeben. Wer nicht veröffentlichen darf, kann ihn nicht mehr ändern. {reason}',
  },
  lockedOwn: { en: 'You may change your own articles only.', de: 'Sie dürfen nur eigene Artikel ändern.' },
  opensDraft: {
    en: 'Readers see version {number}. What you type becomes a draft of the next version.',
    de: 'Leser sehen Fassung {number}. Was Sie schreiben, wird ein Entwurf der nächsten Fassung.',
  },
  besideDraft: {
    en: 'This is the draft of version {draft}. Readers see version {number} until you publish.',
    de: 'Dies ist der Entwurf der Fassung {draft}. Leser sehen Fassung {number}, bis Sie veröffentlichen.',
  },
  scheduleFailed: {
    en: 'A planned change could not be made',
    de: 'Eine geplante Änderung war nicht möglich',
  },
  seenAtOnce: {
    en: 'Readers see these fields at once, so they are not saved by themselves.',
    de: 'Leser sehen diese Felder sofort, deshalb werden sie nicht von selbst gespeichert.',
  },
  apply: { en: 'Show readers', de: 'Lesern zeigen' },
  discard: { en: 'Discard', de: 'Verwerfen' },
  discarded: { en: 'Discarded.', de: 'Verworfen.' },

  organize: { en: 'Topics and authors', de: 'Einordnung' },
  address: { en: 'Address and readers', de: 'Adresse und Leser' },
  content: { en: 'About the text', de: 'Zum Text' },
  seo: { en: 'Search engines', de: 'Suchmaschinen' },
  seoPreview: { en: 'How a search engine may show it', de: 'So kann es eine Suchmaschine zeigen' },
  noIndexShown: {
    en: 'Search engines are asked not to list it.',
    de: 'Suchmaschinen werden gebeten, ihn nicht zu zeigen.',
  },
  noDescription: {
    en: 'Without a description or summary, search engines choose a part of the text.',
    de: 'Ohne Beschreibung oder Zusammenfassung wählen Suchmaschinen einen Teil des Textes.',
  },
  createOption: { en: 'Create “{name}”', de: '„{name}“ anlegen' },
  more: { en: 'Facts', de: 'Angaben' },

  status: { en: 'Status: {status}', de: 'Status: {status}' },
  'move.IN_REVIEW': { en: 'Submit for review', de: 'Zur Prüfung geben' },
  'move.APPROVED': { en: 'Approve', de: 'Freigeben' },
  'move.DRAFT': { en: 'Back to draft', de: 'Zurück zum Entwurf' },
  'move.SCHEDULED': { en: 'Schedule…', de: 'Planen…' },
  'move.PUBLISHED': { en: 'Publish', de: 'Veröffentlichen' },
  'move.UNPUBLISHED': { en: 'Unpublish', de: 'Zurückziehen' },
  'move.ARCHIVED': { en: 'Archive', de: 'Archivieren' },
  onlyFrom: { en: 'Only from: {statuses}.', de: 'Nur aus: {statuses}.' },
  never: { en: 'Not possible.', de: 'Nicht möglich.' },
  moveFailed: { en: 'That was not done', de: 'Das wurde nicht getan' },
  changedMeanwhile: {
    en: 'Somebody has changed the article meanwhile. Look at it, then try again.',
    de: 'Jemand hat den Artikel inzwischen geändert. Sehen Sie ihn an, und versuchen Sie es noch einmal.',
  },
  givenUp: {
    en: 'It was given up before it was done: what it belongs to was not saved.',
    de: 'Es wurde aufgegeben, bevor es getan war: Wozu es gehört, wurde nicht gespeichert.',
  },
  publishTitle: { en: 'Publish “{title}”?', de: '„{title}“ veröffentlichen?' },
  publishAbout: { en: 'Readers see it at once.', de: 'Leser sehen ihn sofort.' },
  publishEmpty: { en: 'It has no text yet.', de: 'Er hat noch keinen Text.' },
  scheduleTitle: { en: 'Schedule', de: 'Planen' },
  publishOn: { en: 'Publish on', de: 'Veröffentlichen am' },
  unpublishOn: { en: 'Unpublish on (optional)', de: 'Zurückziehen am (freiwillig)' },
  inZone: { en: 'In the time zone of the site: {zone}', de: 'In der Zeitzone der Website: {zone}' },
  inOwnZone: { en: 'For you ({zone}): {date}', de: 'Für Sie ({zone}): {date}' },
  sameZone: { en: 'That is your own time zone, too.', de: 'Das ist auch Ihre eigene Zeitzone.' },
  schedule: { en: 'Schedule', de: 'Planen' },

  conflictAbout: {
    en: 'Somebody else has saved while you were writing. Everything else is merged already. Choose what is to stay.',
    de: 'Jemand anders hat gespeichert, während Sie schrieben. Alles andere ist schon zusammengeführt. Wählen Sie, was bleiben soll.',
  },
  empty: { en: 'empty', de: 'leer' },

  version: { en: 'Version {number}', de: 'Fassung {number}' },
  close: { en: 'Close', de: 'Schließen' },
  compareWith: { en: 'Compare with', de: 'Vergleichen mit' },
  compare: {
    en: 'What changed from version {from} to version {to}',
    de: 'Was sich von Fassung {from} zu Fassung {to} geändert hat',
  },
  sameText: { en: 'The text is the same.', de: 'Der Text ist gleich.' },
  notCompared: {
    en: 'These texts have too many or too long lines to be compared here. This is the text of the version.',
    de: 'Diese Texte haben zu viele oder zu lange Zeilen, um hier verglichen zu werden. Dies ist der Text der Fassung.',
  },
  unchangedLines: { en: '$ unchanged lines', de: '$ unveränderte Zeilen' },
  onlyLineEnds: { en: 'Only the ends of lines differ.', de: 'Nur die Zeilenenden unterscheiden sich.' },
  onlyVersion: { en: 'There is only this version so far.', de: 'Bisher gibt es nur diese Fassung.' },
  moreVersions: { en: 'Show older versions', de: 'Ältere Fassungen zeigen' },
  restore: { en: 'Restore version {number}', de: 'Fassung {number} wiederherstellen' },
  restoreAbout: {
    en: 'Its content becomes the draft. Nothing is published.',
    de: 'Ihr Inhalt wird der Entwurf. Nichts wird veröffentlicht.',
  },
  restoreTitle: { en: 'Restore version {number}?', de: 'Fassung {number} wiederherstellen?' },
  restoreReplaces: {
    en: 'Version {number} takes the place of the draft. The draft stays in the list as version {draft}, from where it can be restored.',
    de: 'Fassung {number} tritt an die Stelle des Entwurfs. Der Entwurf bleibt als Fassung {draft} in der Liste und lässt sich von dort wiederherstellen.',
  },
  restoreLast: { en: 'Draft last changed by {by},', de: 'Entwurf zuletzt geändert von {by},' },
  restored: { en: 'Version {number} is the draft now.', de: 'Fassung {number} ist jetzt der Entwurf.' },
  restoredBeside: {
    en: 'Version {number} is the draft now. The draft before is kept as version {kept}.',
    de: 'Fassung {number} ist jetzt der Entwurf. Der Entwurf davor bleibt als Fassung {kept} erhalten.',
  },
  decideFirst: {
    en: 'Decide first what is to stay where both of you have changed something.',
    de: 'Entscheiden Sie zuerst, was bleibt, wo Sie beide etwas geändert haben.',
  },
  changes: { en: 'Changes', de: 'Änderungen' },
  sideBySide: { en: 'Side by side', de: 'Nebeneinander' },
  unified: { en: 'In one column', de: 'In einer Spalte' },

  uploading: { en: 'Uploading {name}…', de: '{name} wird hochgeladen…' },
  uploadFailed: { en: '{name} was not uploaded', de: '{name} wurde nicht hochgeladen' },
  imageElsewhere: { en: 'Image from another host: {host}', de: 'Bild von einem anderen Server: {host}' },
  previewPlain: {
    en: 'This text takes too long to lay out, so it is shown as it is.',
    de: 'Diesen Text darzustellen dauert zu lange, deshalb wird er gezeigt, wie er ist.',
  },
  previewCut: {
    en: 'This text has more parts than a preview shows, so some are left out here.',
    de: 'Dieser Text hat mehr Teile, als eine Vorschau zeigt, deshalb fehlen hier einige.',
  },
  previewUnclosed: {
    en: 'HTML in this text is never closed, so what follows it is not shown here.',
    de: 'HTML in diesem Text wird nie geschlossen, deshalb fehlt hier, was darauf folgt.',
  },
  previewSiteLinks: {
    en: 'Links with a dotted line lead to pages of the site by a relative address. They work there, but not in this preview.',
    de: 'Gepunktet unterstrichene Links führen mit einer relativen Adresse zu Seiten der Website. Dort gehen sie, in dieser Vorschau nicht.',
  },
  linkOnSite: {
    en: 'Works on the site only: {address}',
    de: 'Geht nur auf der Website: {address}',
  },
  editorPlain: {
    en: 'Markdown is not coloured here: parts of this text take too long to read. Everything else works as usual.',
    de: 'Markdown wird hier nicht farbig gezeigt: Teile dieses Textes zu lesen dauert zu lange. Alles andere geht wie sonst.',
  },
  moreHeadings: {
    en: 'Only the first {count} headings are listed.',
    de: 'Nur die ersten {count} Überschriften stehen hier.',
  },
  previewTitle: { en: 'Preview of the text', de: 'Vorschau des Textes' },

  newTitle: { en: 'New article', de: 'Neuer Artikel' },
  newAbout: {
    en: 'It begins as a draft that no reader sees.',
    de: 'Er beginnt als Entwurf, den kein Leser sieht.',
  },
  go: { en: 'Start writing', de: 'Losschreiben' },
} satisfies FeatureTexts;

/** What the panel of find and replace says, by the phrases that CodeMirror asks for. */
export const searchTexts = {
  Find: { en: 'Find', de: 'Suchen' },
  Replace: { en: 'Replace with', de: 'Ersetzen durch' },
  next: { en: 'Next', de: 'Weiter' },
  previous: { en: 'Previous', de: 'Zurück' },
  all: { en: 'Select all', de: 'Alle wählen' },
  'match case': { en: 'Match case', de: 'Groß/klein' },
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
