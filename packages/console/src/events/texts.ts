/** What the page of the log says. */
import type { FeatureTexts } from '../text/feature.ts';

export const texts = {
  type: { en: 'What happened', de: 'Was geschah' },
  allOf: { en: '{kind}: everything', de: '{kind}: alles' },
  actor: { en: 'Who', de: 'Wer' },
  record: { en: 'Id of a record', de: 'ID eines Eintrags' },
  from: { en: 'From', de: 'Von' },
  to: { en: 'To', de: 'Bis' },
  clear: { en: 'Clear filters', de: 'Filter löschen' },
  export: { en: 'Export', de: 'Exportieren' },
  exporting: {
    en: '{count, plural, one {# event} other {# events}} …',
    de: '{count, plural, one {# Ereignis} other {# Ereignisse}} …',
  },
  stopExport: { en: 'Stop the export', de: 'Export anhalten' },
  none: { en: 'No events', de: 'Keine Ereignisse' },
  noneAbout: {
    en: 'Every change of a record is logged here, with who made it.',
    de: 'Hier steht jede Änderung eines Eintrags, und wer sie gemacht hat.',
  },
  noMatchAbout: { en: 'Nothing was logged that fits the filters.', de: 'Nichts davon passt zu den Filtern.' },
  end: { en: 'This is the beginning of the log.', de: 'Hier beginnt das Protokoll.' },
  more: { en: 'Show older events', de: 'Ältere Ereignisse zeigen' },
  bySession: { en: 'Console, by {methods}', de: 'Konsole, mit {methods}' },
  byToken: { en: 'Token {name}', de: 'Token {name}' },
  bySystem: { en: 'Scheduled, or by the operator', de: 'Nach Plan, oder durch den Betreiber' },
  PASSWORD: { en: 'password', de: 'Passwort' },
  TOTP: { en: 'code', de: 'Code' },
  RECOVERY_CODE: { en: 'recovery code', de: 'Wiederherstellungscode' },
  PASSKEY: { en: 'passkey', de: 'Passkey' },
  EXTERNAL: { en: 'provider', de: 'Anbieter' },
  LINK: { en: 'link', de: 'Link' },
  changed: { en: 'Changed: {fields}', de: 'Geändert: {fields}' },
  showJson: { en: 'Show the event as JSON', de: 'Das Ereignis als JSON zeigen' },
  copyJson: { en: 'Copy JSON', de: 'JSON kopieren' },
  onlyRecord: { en: 'Only this record', de: 'Nur diesen Eintrag' },
} satisfies FeatureTexts;
