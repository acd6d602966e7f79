/** What lists and records say beyond the texts that all pages share. */
import type { FeatureTexts } from '../text/feature.ts';

export const texts = {
  saved: { en: 'Saved.', de: 'Gespeichert.' },
  undo: { en: 'Undo', de: 'Rückgängig' },
  undone: { en: 'Undone.', de: 'Rückgängig gemacht.' },
  changedSince: {
    en: 'Not undone: {own, select, true {you have changed this record in another window} other {{name} has changed this record}} since.',
    de: 'Nicht rückgängig gemacht: {own, select, true {Sie haben den Eintrag inzwischen in einem anderen Fenster} other {{name} hat den Eintrag inzwischen}} geändert.',
  },
  changedFields: {
    en: 'Not undone: {own, select, true {you have changed {fields} in another window} other {{name} has changed {fields}}} since.',
    de: 'Nicht rückgängig gemacht: {own, select, true {Sie haben {fields} inzwischen in einem anderen Fenster} other {{name} hat {fields} inzwischen}} geändert.',
  },
  deletedSince: {
    en: 'Not undone: the record has been deleted.',
    de: 'Nicht rückgängig gemacht: Der Eintrag wurde inzwischen gelöscht.',
  },
  changedMeanwhile: {
    en: '{own, select, true {You changed {fields} in another window} other {{name} changed {fields}}} after you asked to delete this record. Look at it again, or delete it as it is now.',
    de: '{own, select, true {Sie haben {fields} in einem anderen Fenster} other {{name} hat {fields}}} geändert, nachdem Sie diesen Eintrag löschen wollten. Sehen Sie ihn noch einmal an, oder löschen Sie ihn, wie er jetzt ist.',
  },
  deleteChanged: { en: 'Delete the changed record', de: 'Den geänderten Eintrag löschen' },
  publishTitle: { en: 'Publish “{title}”?', de: '„{title}“ veröffentlichen?' },
  publishAbout: { en: 'Readers will see it immediately.', de: 'Leser sehen den Eintrag sofort.' },
  publish: { en: 'Publish', de: 'Veröffentlichen' },
  published: { en: 'Published.', de: 'Veröffentlicht.' },
  deleted: { en: '{name} deleted.', de: '{name} gelöscht.' },
  restored: { en: '{name} restored.', de: '{name} wiederhergestellt.' },
  open: { en: 'Open', de: 'Öffnen' },
  goneForGood: {
    en: 'Not restored: {name} is no longer in the trash.',
    de: 'Nicht wiederhergestellt: {name} ist nicht mehr im Papierkorb.',
  },
  untitled: { en: 'Untitled', de: 'Ohne Titel' },
  changeThem: {
    en: 'To change all of them at once, select them in the list:',
    de: 'Um alle auf einmal zu ändern, wählen Sie sie in der Liste aus:',
  },
  keptInTrash: {
    en: 'It stays in the trash for a while, from where it can be restored.',
    de: 'Der Eintrag bleibt eine Zeit lang im Papierkorb und lässt sich von dort wiederherstellen.',
  },
  somebody: { en: 'someone else', de: 'jemand anderes' },
  curlCopied: {
    en: 'Copied. Set TOKEN to an API token before you run it.',
    de: 'Kopiert. Setzen Sie TOKEN vor dem Ausführen auf ein API-Token.',
  },
  tokens: { en: 'Tokens', de: 'Tokens' },
  selectAll: { en: 'Select all shown', de: 'Alle angezeigten auswählen' },
  select: { en: 'Select {name}', de: '{name} auswählen' },
} as const satisfies FeatureTexts;
