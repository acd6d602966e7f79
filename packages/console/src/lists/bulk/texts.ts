/** Texts about selections and bulk changes. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  selected: {
    en: '{count, plural, one {One selected} other {# selected}}',
    de: '{count, plural, one {Einer ausgewählt} other {# ausgewählt}}',
  },
  clear: { en: 'Clear selection', de: 'Auswahl aufheben' },
  selectMatching: { en: 'Select all that match', de: 'Alle passenden auswählen' },
  selecting: {
    en: 'Selecting: {count, number} so far',
    de: 'Wird ausgewählt: bisher {count, number}',
  },
  stopSelecting: { en: 'Stop selecting', de: 'Auswählen abbrechen' },
  moreMatch: { en: 'more match', de: 'weitere passen' },
  rest: {
    en: 'More records match than can be changed at once: this is for the first {count, number}. Repeat it for the others afterwards.',
    de: 'Es passen mehr Einträge, als sich auf einmal ändern lassen: Dies gilt für die ersten {count, number}. Wiederholen Sie es danach für die übrigen.',
  },
  setField: { en: 'Set a field', de: 'Feld setzen' },
  field: { en: 'Field', de: 'Feld' },
  setTitle: {
    en: '{count, plural, one {Set a field of one record} other {Set a field of # records}}',
    de: '{count, plural, one {Ein Feld eines Eintrags setzen} other {Ein Feld von # Einträgen setzen}}',
  },
  chooseField: { en: 'Choose a field', de: 'Feld wählen' },
  replaces: {
    en: 'Replaces the current value in each record.',
    de: 'Ersetzt den bisherigen Wert in jedem Eintrag.',
  },
  how: { en: 'Action', de: 'Aktion' },
  howAdd: { en: 'Add to the current values', de: 'Zu den vorhandenen Werten hinzufügen' },
  howRemove: { en: 'Remove from the current values', de: 'Aus den vorhandenen Werten entfernen' },
  howReplace: { en: 'Replace the current values', de: 'Vorhandene Werte ersetzen' },
  fieldMissing: { en: 'Choose a field first.', de: 'Wählen Sie zuerst ein Feld.' },
  valueMissing: { en: 'Enter a value first.', de: 'Geben Sie zuerst einen Wert ein.' },
  apply: { en: 'Apply', de: 'Anwenden' },
  empty: {
    en: '{count, plural, one {Clear in one record} other {Clear in # records}}',
    de: '{count, plural, one {In einem Eintrag leeren} other {In # Einträgen leeren}}',
  },
  move: { en: 'Change status', de: 'Status ändern' },
  noOther: {
    en: 'No other status can follow those of the selection.',
    de: 'Auf die Status der Auswahl kann kein anderer folgen.',
  },
  moveTitle: {
    en: '{status}: {count, plural, one {one record} other {# records}}?',
    de: '{status}: {count, plural, one {ein Eintrag} other {# Einträge}}?',
  },
  moveAbout: {
    en: 'Records that cannot change to this status stay unchanged and are listed afterwards.',
    de: 'Einträge, die nicht in diesen Status wechseln können, bleiben unverändert und werden danach aufgeführt.',
  },
  delete: { en: 'Delete', de: 'Löschen' },
  deleteTitle: {
    en: '{count, plural, one {Delete one record?} other {Delete # records?}}',
    de: '{count, plural, one {Einen Eintrag löschen?} other {# Einträge löschen?}}',
  },
  deleteAbout: {
    en: 'They can be restored from the trash for a while. Records that are in use, or that someone else changes in the meantime, are kept and listed.',
    de: 'Sie lassen sich eine Zeit lang aus dem Papierkorb wiederherstellen. Einträge, die noch verwendet werden oder die jemand inzwischen ändert, bleiben und werden aufgeführt.',
  },
  deleteForGoodAbout: {
    en: 'This cannot be undone. Records that are in use, or that someone else changes in the meantime, are kept and listed.',
    de: 'Das lässt sich nicht rückgängig machen. Einträge, die noch verwendet werden oder die jemand inzwischen ändert, bleiben und werden aufgeführt.',
  },
  labelSet: { en: '{name}: {field} set', de: '{name}: {field} gesetzt' },
  labelEdit: { en: '{name}: {field} changed', de: '{name}: {field} geändert' },
  labelUndo: { en: 'Undo: {label}', de: 'Rückgängig: {label}' },
  labelDelete: { en: '{name}: deletion', de: '{name}: Löschung' },
  labelMove: { en: '{name}: {status}', de: '{name}: {status}' },
  panel: { en: 'Bulk changes', de: 'Sammeländerungen' },
  progress: { en: '{done, number} of {total, number}', de: '{done, number} von {total, number}' },
  failed: {
    en: '{count, plural, one {one not changed} other {# not changed}}',
    de: '{count, plural, one {einer nicht geändert} other {# nicht geändert}}',
  },
  paused: { en: 'Paused', de: 'Angehalten' },
  finished: { en: 'Done', de: 'Fertig' },
  undo: { en: 'Undo', de: 'Rückgängig machen' },
  undoSome: { en: 'Undo {count, number} of them', de: '{count, number} davon rückgängig machen' },
  pause: { en: 'Pause', de: 'Anhalten' },
  resume: { en: 'Continue', de: 'Fortsetzen' },
  cancel: { en: 'Stop', de: 'Beenden' },
  close: { en: 'Close', de: 'Schließen' },
  retry: { en: 'Try these again', de: 'Diese erneut versuchen' },
  download: { en: 'Download list', de: 'Liste herunterladen' },
} as const satisfies FeatureTexts;
