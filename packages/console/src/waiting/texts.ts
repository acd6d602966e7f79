/** What the pages say about changes that wait, and about conflicts. */
import type { FeatureTexts } from '../text/feature.ts';

export const texts = {
  waiting: {
    en: '{count, plural, one {One change waiting} other {# changes waiting}}',
    de: '{count, plural, one {Eine Änderung wartet} other {# Änderungen warten}}',
  },
  refused: {
    en: '{count, plural, one {One change needs you} other {# changes need you}}',
    de: '{count, plural, one {Eine Änderung braucht Sie} other {# Änderungen brauchen Sie}}',
  },
  title: { en: 'Changes that are not saved yet', de: 'Noch nicht gespeicherte Änderungen' },
  about: {
    en: 'They are kept in this browser, also when you close it, and are sent as soon as possible. Each happens once.',
    de: 'Sie bleiben in diesem Browser, auch wenn Sie ihn schließen, und werden sobald wie möglich gesendet. Jede geschieht einmal.',
  },
  aboutMemory: {
    en: 'This browser stores nothing, so they are in this tab only. Leave it open: they are sent as soon as possible. Each happens once.',
    de: 'Dieser Browser speichert nichts, deshalb sind sie nur in diesem Tab. Lassen Sie ihn offen: Sie werden sobald wie möglich gesendet. Jede geschieht einmal.',
  },
  none: { en: 'Everything is saved.', de: 'Alles ist gespeichert.' },
  tryAgain: { en: 'Try again now', de: 'Jetzt erneut versuchen' },
  create: { en: 'New: {name}', de: 'Neu: {name}' },
  update: { en: 'Change: {name}', de: 'Änderung: {name}' },
  delete: { en: 'Deletion: {name}', de: 'Löschung: {name}' },
  sending: { en: 'Being sent.', de: 'Wird gesendet.' },
  behind: {
    en: 'Waits for the change before it.',
    de: 'Wartet auf die Änderung davor.',
  },
  conflict: {
    en: 'Somebody else changed the same fields in the meantime.',
    de: 'Jemand anderes hat inzwischen dieselben Felder geändert.',
  },
  outdated: {
    en: 'Somebody else has changed the record in the meantime. Open it to see how it is now.',
    de: 'Jemand anderes hat den Eintrag inzwischen geändert. Öffnen Sie ihn, um zu sehen, wie er jetzt ist.',
  },
  unknown: {
    en: 'This was sent more than 23 hours ago and no answer came. Look whether it was done before you send it again.',
    de: 'Dies wurde vor mehr als 23 Stunden gesendet, und es kam keine Antwort. Sehen Sie nach, ob es getan ist, bevor Sie es erneut senden.',
  },
  notConfirmed: {
    en: 'You asked for this in an earlier sign-in, or more than 23 hours ago. If it is still right, send it again.',
    de: 'Sie haben dies in einer früheren Anmeldung oder vor mehr als 23 Stunden veranlasst. Wenn es noch stimmt, senden Sie es erneut.',
  },
  needsRequest: {
    en: 'Somebody has approved, scheduled or published this in the meantime. Open it to save your change all the same.',
    de: 'Jemand hat dies inzwischen freigegeben, geplant oder veröffentlicht. Öffnen Sie es, um Ihre Änderung trotzdem zu speichern.',
  },
  item: { en: 'no. {number}', de: 'Nr. {number}' },
  open: { en: 'Open', de: 'Öffnen' },
  review: { en: 'Resolve the conflict', de: 'Konflikt lösen' },
  retry: { en: 'Send again', de: 'Erneut senden' },
  discard: { en: 'Discard', de: 'Verwerfen' },
  discardTitle: { en: 'Discard this change?', de: 'Diese Änderung verwerfen?' },
  discardAbout: {
    en: '“{name}” will not be saved, and what you entered is lost.',
    de: '„{name}“ wird nicht gespeichert, und Ihre Eingabe geht verloren.',
  },
  discardSent: {
    en: 'It was sent already, and the answer is missing. It may have been carried out.',
    de: 'Sie wurde schon gesendet, und die Antwort fehlt. Vielleicht ist sie ausgeführt.',
  },
  keep: { en: 'Keep it', de: 'Behalten' },
  leaveTitle: { en: 'Leave unfinished work?', de: 'Unfertiges zurücklassen?' },
  leaveAbout: { en: 'This is not done yet:', de: 'Dies ist noch nicht getan:' },
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
    en: 'It stays in this browser, where only you can read it, and goes on when you work in this organization again, on this device.',
    de: 'Es bleibt in diesem Browser, wo nur Sie es lesen können, und geht weiter, wenn Sie auf diesem Gerät wieder in dieser Organisation arbeiten.',
  },
  leave: { en: 'Leave', de: 'Gehen' },
  stay: { en: 'Stay', de: 'Bleiben' },
  kept: {
    en: 'Not saved yet. Your change is kept in this browser and will be sent on its own.',
    de: 'Noch nicht gespeichert. Ihre Änderung bleibt in diesem Browser und wird von selbst gesendet.',
  },
  keptDeletion: {
    en: 'Not deleted yet. The deletion is kept in this browser and will be sent on its own.',
    de: 'Noch nicht gelöscht. Die Löschung bleibt in diesem Browser und wird von selbst gesendet.',
  },
  conflictTitle: { en: 'Both of you have changed this', de: 'Sie haben beide hier etwas geändert' },
  conflictAbout: {
    en: '{name} changed this record while you were working on it. Everything else is merged; decide on these fields.',
    de: '{name} hat den Eintrag geändert, während Sie daran gearbeitet haben. Alles andere ist zusammengeführt; entscheiden Sie über diese Felder.',
  },
  conflictMore: {
    en: 'You changed more while this was open. Nothing is saved yet, and there is more to decide.',
    de: 'Sie haben mehr geändert, während dies offen war. Noch ist nichts gespeichert, und es gibt mehr zu entscheiden.',
  },
  mine: { en: 'Yours', de: 'Ihres' },
  theirs: { en: 'Theirs', de: 'Das andere' },
  empty: { en: 'empty', de: 'leer' },
  both: { en: 'Both', de: 'Beides' },
  keepChoice: { en: 'Save this', de: 'So speichern' },
  later: { en: 'Later', de: 'Später' },
  conflictOthers: {
    en: '{count, plural, one {# more place} other {# more places}}, decided together',
    de: '{count, plural, one {# weitere Stelle} other {# weitere Stellen}}, zusammen entschieden',
  },
  conflictPart: { en: '{field}, passage {number}', de: '{field}, Stelle {number}' },
} as const satisfies FeatureTexts;
