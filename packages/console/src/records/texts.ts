/** What lists and records say beyond the texts that all pages share. */
import type { FeatureTexts } from '../text/feature.ts';

export const texts = {
  saved: { en: 'Saved.', de: 'Gespeichert.' },
  undo: { en: 'Undo', de: 'Rückgängig' },
  undone: { en: 'Undone.', de: 'Rückgängig gemacht.' },
  changedSince: {
    en: 'Not undone: {name} has changed this record since.',
    de: 'Nicht rückgängig gemacht: {name} hat den Eintrag seitdem geändert.',
  },
  changedFields: {
    en: 'Not undone: {name} has changed {fields} since.',
    de: 'Nicht rückgängig gemacht: {name} hat seitdem {fields} geändert.',
  },
  deletedSince: {
    en: 'Not undone: the record was deleted since.',
    de: 'Nicht rückgängig gemacht: Der Eintrag wurde seitdem gelöscht.',
  },
  somebody: { en: 'somebody else', de: 'jemand anderes' },
  curlCopied: {
    en: 'Copied. Before you run it, set TOKEN to an API token.',
    de: 'Kopiert. Setzen Sie vor dem Ausführen TOKEN auf ein API-Token.',
  },
  tokens: { en: 'Tokens', de: 'Tokens' },
  selectAll: { en: 'Select all shown', de: 'Alle gezeigten auswählen' },
  select: { en: 'Select {name}', de: '{name} auswählen' },
} as const satisfies FeatureTexts;
