/** What the pages say about exports. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  export: { en: 'Export', de: 'Exportieren' },
  csv: { en: 'CSV, visible columns', de: 'CSV, sichtbare Spalten' },
  jsonLines: { en: 'JSON lines, whole records', de: 'JSON Lines, ganze Einträge' },
  running: {
    en: '{count, plural, one {One record} other {# records}} read …',
    de: '{count, plural, one {Ein Eintrag} other {# Einträge}} gelesen …',
  },
  cancel: { en: 'Cancel export', de: 'Export abbrechen' },
  done: {
    en: '{count, plural, one {One record} other {# records}} exported.',
    de: '{count, plural, one {Ein Eintrag} other {# Einträge}} exportiert.',
  },
} as const satisfies FeatureTexts;
