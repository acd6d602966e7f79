/** Texts about single values that are edited where they are shown. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  refused: {
    en: 'Not saved. Edit the value to see why.',
    de: 'Nicht gespeichert. Bearbeiten Sie den Wert, um den Grund zu sehen.',
  },
  waiting: { en: 'Not sent yet', de: 'Noch nicht gesendet' },
  saved: { en: '{field} of {name} saved.', de: '{field} von {name} gespeichert.' },
  nobody: { en: 'Nobody', de: 'Niemand' },
  noneListed: { en: 'None', de: 'Keine' },
  notSet: { en: 'Not set', de: 'Keine Angabe' },
  change: { en: 'Change “{field}”', de: '„{field}“ ändern' },
  deleted: {
    en: 'This record has been deleted. What you typed is not saved.',
    de: 'Dieser Eintrag wurde gelöscht. Was Sie getippt haben, ist nicht gespeichert.',
  },
  tooLong: {
    en: 'Too long: {length} of at most {most} characters.',
    de: 'Zu lang: {length} von höchstens {most} Zeichen.',
  },
  seenTitle: { en: 'Change “{title}” for readers?', de: '„{title}“ für Leser ändern?' },
  seenAbout: { en: 'Readers will see the change immediately.', de: 'Leser sehen die Änderung sofort.' },
  apply: { en: 'Apply for readers', de: 'Für Leser übernehmen' },
} as const satisfies FeatureTexts;
