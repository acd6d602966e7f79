/** Texts about cells that are edited in a list. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  fixed: {
    en: '“{field}” cannot be changed in the list.',
    de: '„{field}“ lässt sich in der Liste nicht ändern.',
  },
  onPage: {
    en: 'Open the record to change “{field}”.',
    de: 'Öffnen Sie den Eintrag, um „{field}“ zu ändern.',
  },
  refused: {
    en: 'Not saved. Edit the cell to see why.',
    de: 'Nicht gespeichert. Bearbeiten Sie die Zelle, um den Grund zu sehen.',
  },
  waiting: { en: 'Not sent yet', de: 'Noch nicht gesendet' },
  saved: { en: '{field} of {name} saved.', de: '{field} von {name} gespeichert.' },
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
