/** Texts of the history of a record. */
import type { FeatureTexts } from '../text/feature.ts';

export const texts = {
  older: { en: 'Show older changes', de: 'Ältere Änderungen anzeigen' },
  byYou: { en: 'by you', de: 'von Ihnen' },
  empty: { en: 'empty', de: 'leer' },
  restore: { en: 'Restore', de: 'Wiederherstellen' },
  restoreOf: { en: 'Restore the former value: {field}', de: 'Früheren Wert wiederherstellen: {field}' },
  restoreAllOf: {
    en: 'Restore all of version {version}',
    de: 'Alles von Version {version} wiederherstellen',
  },
  restoreTitle: {
    en: 'Restore the former value of “{field}”?',
    de: 'Früheren Wert von „{field}“ wiederherstellen?',
  },
  restoreAllTitle: { en: 'Restore version {version}?', de: 'Version {version} wiederherstellen?' },
  restoreAbout: {
    en: 'It replaces what is there now. What it replaces stays in the history.',
    de: 'Das ersetzt, was jetzt dort steht. Was ersetzt wird, bleibt im Verlauf.',
  },
  restoreSeen: {
    en: 'It replaces what is there now, and readers see it immediately. What it replaces stays in the history.',
    de: 'Das ersetzt, was jetzt dort steht, und Leser sehen es sofort. Was ersetzt wird, bleibt im Verlauf.',
  },
  restored: { en: 'Restored.', de: 'Wiederhergestellt.' },
} as const satisfies FeatureTexts;
