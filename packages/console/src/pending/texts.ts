/** Texts about pending changes and conflicts. */
import type { FeatureTexts } from '../text/feature.ts';

export const texts = {
  waiting: {
    en: '{count, plural, one {One change waiting} other {# changes waiting}}',
    de: '{count, plural, one {Eine Änderung wartet} other {# Änderungen warten}}',
  },
  refused: {
    en: '{count, plural, one {One change needs attention} other {# changes need attention}}',
    de: '{count, plural, one {Eine Änderung wartet auf Ihre Entscheidung} other {# Änderungen warten auf Ihre Entscheidung}}',
  },
  title: { en: 'Pending changes', de: 'Ausstehende Änderungen' },
  about: {
    en: 'These changes are stored in this browser, even when you close it, and sent as soon as possible. Each is made once.',
    de: 'Diese Änderungen bleiben in diesem Browser gespeichert, auch wenn Sie ihn schließen, und werden so bald wie möglich gesendet. Jede wird nur einmal ausgeführt.',
  },
  aboutMemory: {
    en: 'This browser does not store data, so these changes exist only in this tab. Keep it open: they are sent as soon as possible. Each is made once.',
    de: 'Dieser Browser speichert keine Daten, deshalb gibt es diese Änderungen nur in diesem Tab. Lassen Sie ihn offen: Sie werden so bald wie möglich gesendet. Jede wird nur einmal ausgeführt.',
  },
  none: { en: 'Everything is saved.', de: 'Alles ist gespeichert.' },
  tryAgain: { en: 'Try again now', de: 'Jetzt erneut versuchen' },
  create: { en: 'New: {name}', de: 'Neu: {name}' },
  update: { en: 'Change: {name}', de: 'Änderung: {name}' },
  delete: { en: 'Deletion: {name}', de: 'Löschung: {name}' },
  sending: { en: 'Sending.', de: 'Wird gesendet.' },
  behind: {
    en: 'Waiting for the previous change.',
    de: 'Wartet auf die vorherige Änderung.',
  },
  conflict: {
    en: 'Someone else changed the same fields.',
    de: 'Jemand anderes hat inzwischen dieselben Felder geändert.',
  },
  outdated: {
    en: 'Someone else changed the record. Open it to see its current state.',
    de: 'Jemand anderes hat den Eintrag inzwischen geändert. Öffnen Sie ihn, um den aktuellen Stand zu sehen.',
  },
  unknown: {
    en: 'Sent more than 23 hours ago without a response. Check whether it was made before you send it again.',
    de: 'Vor mehr als 23 Stunden gesendet, ohne Antwort. Prüfen Sie, ob die Änderung ausgeführt wurde, bevor Sie sie erneut senden.',
  },
  notConfirmed: {
    en: 'You made this change in an earlier session, or more than 23 hours ago. Send it again if it is still needed.',
    de: 'Sie haben diese Änderung in einer früheren Sitzung oder vor mehr als 23 Stunden vorgenommen. Senden Sie sie erneut, wenn sie noch gewünscht ist.',
  },
  needsExplicitSave: {
    en: 'The record has been approved, scheduled or published. Open it to confirm your change.',
    de: 'Der Eintrag wurde inzwischen freigegeben, geplant oder veröffentlicht. Öffnen Sie ihn, um Ihre Änderung zu bestätigen.',
  },
  item: { en: 'no. {number}', de: 'Nr. {number}' },
  open: { en: 'Open', de: 'Öffnen' },
  review: { en: 'Resolve the conflict', de: 'Konflikt lösen' },
  retry: { en: 'Send again', de: 'Erneut senden' },
  discard: { en: 'Discard', de: 'Verwerfen' },
  discardTitle: { en: 'Discard this change?', de: 'Diese Änderung verwerfen?' },
  discardAbout: {
    en: '“{name}” will not be saved, and your input will be lost.',
    de: '„{name}“ wird nicht gespeichert, und Ihre Eingaben gehen verloren.',
  },
  discardSent: {
    en: 'It was sent, but there was no response. It may have been made.',
    de: 'Sie wurde gesendet, aber es kam keine Antwort. Möglicherweise wurde sie ausgeführt.',
  },
  keep: { en: 'Keep', de: 'Behalten' },
  leaveTitle: { en: 'Leave with unfinished work?', de: 'Mit unerledigten Änderungen verlassen?' },
  leaveAbout: { en: 'Not finished yet:', de: 'Noch nicht erledigt:' },
  leaveChanges: {
    en: '{count, plural, one {One change} other {# changes}}',
    de: '{count, plural, one {Eine Änderung} other {# Änderungen}}',
  },
  leaveRecords: {
    en: '{count, plural, one {One record of a bulk change} other {# records of bulk changes}}',
    de: '{count, plural, one {Ein Eintrag einer Sammeländerung} other {# Einträge von Sammeländerungen}}',
  },
  leaveUploads: {
    en: '{count, plural, one {One upload} other {# uploads}}',
    de: '{count, plural, one {Eine hochzuladende Datei} other {# hochzuladende Dateien}}',
  },
  leaveFiles: {
    en: '{count, plural, one {One file of an import} other {# files of an import}}',
    de: '{count, plural, one {Eine Datei eines Imports} other {# Dateien eines Imports}}',
  },
  leaveKept: {
    en: 'It stays in this browser, where only you can read it, and continues when you return to this organization on this device.',
    de: 'Es bleibt in diesem Browser, wo nur Sie es lesen können, und wird fortgesetzt, wenn Sie auf diesem Gerät in diese Organisation zurückkehren.',
  },
  leave: { en: 'Leave', de: 'Verlassen' },
  stay: { en: 'Stay', de: 'Bleiben' },
  kept: {
    en: 'Not saved yet. Your change is stored in this browser and will be sent automatically.',
    de: 'Noch nicht gespeichert. Ihre Änderung bleibt in diesem Browser und wird automatisch gesendet.',
  },
  keptDeletion: {
    en: 'Not deleted yet. The deletion is stored in this browser and will be sent automatically.',
    de: 'Noch nicht gelöscht. Die Löschung bleibt in diesem Browser und wird automatisch gesendet.',
  },
  conflictTitle: { en: 'Conflicting changes', de: 'Widersprüchliche Änderungen' },
  conflictAbout: {
    en: '{own, select, true {You changed this record in another window} other {{name} changed this record}} while you were working on it. Everything else has been merged. Choose the values of these fields.',
    de: '{own, select, true {Sie haben den Eintrag in einem anderen Fenster} other {{name} hat den Eintrag}} geändert, während Sie daran gearbeitet haben. Alles andere wurde zusammengeführt. Wählen Sie die Werte dieser Felder.',
  },
  conflictMore: {
    en: 'There are further conflicts with your latest changes. Nothing is saved yet.',
    de: 'Ihre letzten Änderungen führen zu weiteren Konflikten. Noch ist nichts gespeichert.',
  },
  mine: { en: 'Yours', de: 'Ihre Änderung' },
  theirs: { en: 'Theirs', de: 'Die andere Änderung' },
  empty: { en: 'empty', de: 'leer' },
  both: { en: 'Both', de: 'Beides' },
  keepChoice: { en: 'Save this', de: 'So speichern' },
  later: { en: 'Later', de: 'Später' },
  conflictOthers: {
    en: '{count, plural, one {# more passage} other {# more passages}}, resolved together',
    de: '{count, plural, one {# weitere Stelle} other {# weitere Stellen}}, gemeinsam gelöst',
  },
  conflictPart: { en: '{field}, passage {number}', de: '{field}, Stelle {number}' },
} as const satisfies FeatureTexts;
