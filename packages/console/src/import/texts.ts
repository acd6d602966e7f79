/** What the page of imports says. */
import type { FeatureTexts } from '../text/feature.ts';

export const texts = {
  about: {
    en: 'Tables as CSV, TSV or JSON lines become records of any kind, Markdown files become articles. Nothing is written before you have seen what would happen.',
    de: 'Tabellen als CSV, TSV oder JSON-Zeilen werden zu Einträgen jeder Art, Markdown-Dateien zu Artikeln. Nichts wird geschrieben, bevor Sie gesehen haben, was geschähe.',
  },
  drop: { en: 'Drop a file here', de: 'Datei hier ablegen' },
  dropAbout: {
    en: 'One table (.csv, .tsv, .ndjson, .jsonl), or Markdown files (.md) with front matter',
    de: 'Eine Tabelle (.csv, .tsv, .ndjson, .jsonl) oder Markdown-Dateien (.md) mit Kopfdaten',
  },
  choose: { en: 'Choose files', de: 'Dateien wählen' },
  chooseFolder: { en: 'Choose a folder', de: 'Ordner wählen' },
  unsuitable: {
    en: 'These files cannot be imported. Choose one table (.csv, .tsv, .tab, .txt, .ndjson, .jsonl), or Markdown files.',
    de: 'Diese Dateien können nicht importiert werden. Wählen Sie eine Tabelle (.csv, .tsv, .tab, .txt, .ndjson, .jsonl) oder Markdown-Dateien.',
  },
  file: { en: 'File', de: 'Datei' },
  fileOf: {
    en: '{name} · {size}',
    de: '{name} · {size}',
  },
  files: {
    en: '{count, plural, one {One Markdown file} other {# Markdown files}} · {size}',
    de: '{count, plural, one {Eine Markdown-Datei} other {# Markdown-Dateien}} · {size}',
  },
  another: { en: 'Choose another file', de: 'Andere Datei wählen' },
  rowsBecome: { en: 'Rows become', de: 'Zeilen werden zu' },
  asInFile: { en: 'As in the file (an export)', de: 'Wie in der Datei (ein Export)' },
  columns: { en: 'Columns', de: 'Spalten' },
  columnsAbout: {
    en: 'Each column goes to the field with its name or a common name for it. Change what does not fit. The values are those of the first rows.',
    de: 'Jede Spalte gehört zu dem Feld mit ihrem Namen oder einem üblichen Namen dafür. Ändern Sie, was nicht passt. Die Werte sind die der ersten Zeilen.',
  },
  exportAbout: {
    en: 'Every row says what it is. Records are found again by their external ID or ID.',
    de: 'Jede Zeile sagt, was sie ist. Einträge werden an ihrer externen ID oder ID wiedererkannt.',
  },
  column: { en: 'Column', de: 'Spalte' },
  values: { en: 'Values', de: 'Werte' },
  field: { en: 'Field', de: 'Feld' },
  fieldOf: { en: 'Field of the column {column}', de: 'Feld der Spalte {column}' },
  notImported: { en: 'Not imported', de: 'Nicht importieren' },
  noValues: { en: 'empty in the first rows', de: 'leer in den ersten Zeilen' },
  faultOfColumn: {
    en: '{count, plural, one {One value} other {# values}} cannot be used, in {place}: {reason}',
    de: '{count, plural, one {Ein Wert} other {# Werte}} nicht verwendbar, in {place}: {reason}',
  },
  faultOfRows: {
    en: '{count, plural, one {One of the first rows} other {# of the first rows}} cannot be imported. {place}: {reason}',
    de: '{count, plural, one {Eine der ersten Zeilen} other {# der ersten Zeilen}} nicht importierbar. {place}: {reason}',
  },
  line: { en: 'line {number}', de: 'Zeile {number}' },
  identity: { en: 'Records are recognized by', de: 'Einträge werden erkannt an' },
  automatic: { en: 'their content', de: 'ihrem Inhalt' },
  byPath: { en: 'the path of the file', de: 'dem Pfad der Datei' },
  byContent: {
    en: 'A row is matched with an existing record by {fields}.',
    de: 'Eine Zeile wird einem vorhandenen Eintrag zugeordnet nach {fields}.',
  },
  otherwise: { en: '{first}; if there is none, by {second}', de: '{first}; fehlt das, nach {second}' },
  byColumn: { en: 'the column {column}', de: 'der Spalte {column}' },
  identityAbout: {
    en: 'The same row is always the same record: importing the file again changes it and creates no second one.',
    de: 'Dieselbe Zeile ist immer derselbe Eintrag: Ein erneuter Import ändert ihn und legt keinen zweiten an.',
  },
  update: { en: 'Change records that exist', de: 'Vorhandene Einträge ändern' },
  statuses: {
    en: 'Change the status of records to that of their row',
    de: 'Status der Einträge auf den ihrer Zeile ändern',
  },
  check: { en: 'Check', de: 'Prüfen' },
  checkAbout: {
    en: 'A dry run reads every row and compares it with the records. It writes nothing.',
    de: 'Ein Probelauf liest jede Zeile und vergleicht sie mit den Einträgen. Er schreibt nichts.',
  },
  checkAgain: { en: 'Check again', de: 'Erneut prüfen' },
  checking: {
    en: '{count, plural, one {One row} other {# rows}} checked …',
    de: '{count, plural, one {Eine Zeile} other {# Zeilen}} geprüft …',
  },
  cancel: { en: 'Cancel', de: 'Abbrechen' },
  noColumn: {
    en: 'Choose a field for at least one column first.',
    de: 'Wählen Sie zuerst für mindestens eine Spalte ein Feld.',
  },
  noParent: {
    en: 'Choose where the records belong first.',
    de: 'Wählen Sie zuerst, wozu die Einträge gehören.',
  },
  wouldCreate: { en: 'would be created', de: 'würden angelegt' },
  wouldUpdate: { en: 'would be changed', de: 'würden geändert' },
  wouldKeep: { en: 'would stay as they are', de: 'blieben, wie sie sind' },
  wouldReject: { en: 'cannot be imported', de: 'nicht importierbar' },
  created: { en: 'created', de: 'angelegt' },
  updated: { en: 'changed', de: 'geändert' },
  unchanged: { en: 'unchanged', de: 'unverändert' },
  rejected: { en: 'rejected', de: 'abgewiesen' },
  alsoCreated: {
    en: 'Besides, because rows name them: {list}.',
    de: 'Außerdem, weil Zeilen sie nennen: {list}.',
  },
  repairs: { en: 'Adjustments', de: 'Anpassungen' },
  skipped: { en: 'Skipped: {list}.', de: 'Übersprungen: {list}.' },
  faults: { en: 'Rows that cannot be imported', de: 'Nicht importierbare Zeilen' },
  rejectedRows: { en: 'Rejected rows', de: 'Abgewiesene Zeilen' },
  moreFaults: {
    en: 'and {count, plural, one {one more} other {# more}}',
    de: 'und {count, plural, one {eine weitere} other {# weitere}}',
  },
  import: { en: 'Import', de: 'Importieren' },
  start: {
    en: '{count, plural, one {Import one row} other {Import # rows}}',
    de: '{count, plural, one {Eine Zeile importieren} other {# Zeilen importieren}}',
  },
  startAbout: {
    en: 'Rows that cannot be imported are left out, to be downloaded, mended and imported again.',
    de: 'Nicht importierbare Zeilen werden ausgelassen und können heruntergeladen, berichtigt und erneut importiert werden.',
  },
  nothingToImport: { en: 'No row can be imported.', de: 'Keine Zeile ist importierbar.' },
  running: { en: 'Importing', de: 'Import läuft' },
  paused: { en: 'Paused', de: 'Angehalten' },
  stopped: { en: 'Stopped', de: 'Abgebrochen' },
  done: { en: 'Done', de: 'Fertig' },
  progress: { en: '{rows, number} of {total, number}', de: '{rows, number} von {total, number}' },
  rows: {
    en: '{count, plural, one {One row} other {# rows}}',
    de: '{count, plural, one {Eine Zeile} other {# Zeilen}}',
  },
  safe: {
    en: 'You can work on other pages meanwhile. If the tab is closed or loaded again, the import continues when this page is opened. Each row is imported once.',
    de: 'Sie können währenddessen auf anderen Seiten arbeiten. Wird der Tab geschlossen oder neu geladen, geht der Import weiter, sobald diese Seite offen ist. Jede Zeile wird einmal importiert.',
  },
  elsewhere: {
    en: 'The import runs in another tab. It continues here when that tab is closed.',
    de: 'Der Import läuft in einem anderen Tab. Er geht hier weiter, wenn dieser geschlossen ist.',
  },
  continued: {
    en: 'This import was interrupted and continued. Rows that were imported before count as unchanged.',
    de: 'Dieser Import wurde unterbrochen und fortgesetzt. Zuvor importierte Zeilen zählen als unverändert.',
  },
  pause: { en: 'Pause', de: 'Anhalten' },
  resume: { en: 'Continue', de: 'Fortsetzen' },
  download: { en: 'Download the rejected rows', de: 'Abgewiesene Zeilen herunterladen' },
  downloadAbout: {
    en: 'The file of rejected rows has the same columns and the reasons. Correct it and import it: rows that were imported are not in it.',
    de: 'Die Datei der abgewiesenen Zeilen hat dieselben Spalten und die Gründe. Berichtigen und importieren Sie sie: Importierte Zeilen sind nicht darin.',
  },
  show: { en: 'Show {name}', de: '{name} zeigen' },
  next: { en: 'Import another file', de: 'Weitere Datei importieren' },
  finished: {
    en: 'The import is done: {created, number} created, {updated, number} changed, {rejected, number} rejected.',
    de: 'Der Import ist fertig: {created, number} angelegt, {updated, number} geändert, {rejected, number} abgewiesen.',
  },
  ended: { en: 'The import was stopped.', de: 'Der Import wurde abgebrochen.' },
  look: { en: 'Show', de: 'Zeigen' },
  notKept: {
    en: 'This browser cannot keep the file. Leave this page open until the import is done; otherwise choose the file again and import it with the same settings: each row is imported once.',
    de: 'Dieser Browser kann die Datei nicht aufbewahren. Lassen Sie diese Seite offen, bis der Import fertig ist; sonst wählen Sie die Datei erneut und importieren sie mit denselben Einstellungen: Jede Zeile wird einmal importiert.',
  },
  forget: { en: 'Discard', de: 'Verwerfen' },
} as const satisfies FeatureTexts;
