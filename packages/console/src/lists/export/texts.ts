/** What the pages say about exports. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  export: { en: 'Export', de: 'Exportieren' },
  forPeople: { en: 'As a table', de: 'Als Tabelle' },
  xlsxAll: { en: 'Excel, all columns', de: 'Excel, alle Spalten' },
  xlsxVisible: { en: 'Excel, visible columns', de: 'Excel, sichtbare Spalten' },
  csvAll: { en: 'CSV, all columns', de: 'CSV, alle Spalten' },
  csvVisible: { en: 'CSV, visible columns', de: 'CSV, sichtbare Spalten' },
  forPrograms: { en: 'For other programs', de: 'Für andere Programme' },
  exactCsv: { en: 'CSV, values as stored', de: 'CSV, gespeicherte Werte' },
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
  tooLong: {
    en: '{count, plural, one {One text is too long for a cell of a workbook and left empty; the CSV table has it.} other {# texts are too long for cells of a workbook and left empty; the CSV table has them.}}',
    de: '{count, plural, one {Ein Text ist zu lang für eine Zelle einer Arbeitsmappe und bleibt leer; die CSV-Tabelle hat ihn.} other {# Texte sind zu lang für Zellen einer Arbeitsmappe und bleiben leer; die CSV-Tabelle hat sie.}}',
  },
} as const satisfies FeatureTexts;
