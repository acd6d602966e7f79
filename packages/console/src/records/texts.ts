/** Texts of lists and records in addition to the common ones. */
import type { FeatureTexts } from '../text/feature.ts';

export const texts = {
  newOf: { en: 'New {name} of {parent}', de: '{name} anlegen: {parent}' },
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
  saveAndPublishAbout: {
    en: 'Your changes are saved and published with it. Readers will see it immediately.',
    de: 'Ihre Änderungen werden gespeichert und mit veröffentlicht. Leser sehen den Eintrag sofort.',
  },
  publish: { en: 'Publish', de: 'Veröffentlichen' },
  saveAndPublish: { en: 'Save and publish', de: 'Speichern und veröffentlichen' },
  discarded: { en: 'Changes discarded.', de: 'Änderungen verworfen.' },
  published: { en: 'Published.', de: 'Veröffentlicht.' },
  deleted: { en: '{name} deleted.', de: '{name} gelöscht.' },
  restored: { en: '{name} restored.', de: '{name} wiederhergestellt.' },
  open: { en: 'Open', de: 'Öffnen' },
  goneForGood: {
    en: 'Not restored: {name} is no longer in the trash.',
    de: 'Nicht wiederhergestellt: {name} ist nicht mehr im Papierkorb.',
  },
  untitled: { en: 'Untitled', de: 'Ohne Titel' },
  usingKind: {
    en: '{kind}{published, select, true {, published} other {}}',
    de: '{kind}{published, select, true {, veröffentlicht} other {}}',
  },
  changeThem: {
    en: 'To change all of them at once, select them in the list:',
    de: 'Um alle auf einmal zu ändern, wählen Sie sie in der Liste aus:',
  },
  moveThem: { en: 'Move them to another {name}', de: 'Stattdessen zuordnen: {name}' },
  moveAndDelete: {
    en: '{count, plural, one {Move one record and delete} other {Move # records and delete}}',
    de: '{count, plural, one {Einen Eintrag ändern und löschen} other {# Einträge ändern und löschen}}',
  },
  replacedBy: {
    en: '“{name}” replaced by “{other}” and deleted',
    de: '„{name}“ durch „{other}“ ersetzt und gelöscht',
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
  leaveTitle: { en: 'Leave without saving?', de: 'Seite ohne Speichern verlassen?' },
  leaveAbout: {
    en: 'Your changes on this page are not saved.',
    de: 'Ihre Änderungen auf dieser Seite sind nicht gespeichert.',
  },
  leave: { en: 'Leave', de: 'Verlassen' },
  stay: { en: 'Stay on the page', de: 'Auf der Seite bleiben' },
  secretOf: { en: 'Secret of {name}', de: 'Geheimnis von {name}' },
  secretAbout: {
    en: 'Save it now. It will not be shown again.',
    de: 'Speichern Sie es jetzt. Es wird nicht noch einmal angezeigt.',
  },
  copy: { en: 'Copy', de: 'Kopieren' },
  kept: { en: 'I have saved it', de: 'Ich habe es gespeichert' },
  about: { en: 'About this record', de: 'Über diesen Eintrag' },
  technical: { en: 'Technical details', de: 'Technische Angaben' },
  version: { en: 'Version', de: 'Version' },
  id: { en: 'ID', de: 'ID' },
  history: { en: 'History', de: 'Verlauf' },
  showValues: { en: 'Show old and new values', de: 'Alte und neue Werte anzeigen' },
  showEvents: { en: 'Show only what happened', de: 'Nur anzeigen, was geschehen ist' },
  noEvents: {
    en: 'No logged events for this record.',
    de: 'Zu diesem Eintrag sind keine Ereignisse protokolliert.',
  },
  newerEvents: { en: 'Show newer entries', de: 'Neuere Einträge anzeigen' },
  byYou: { en: 'by you', de: 'von Ihnen' },
  deleteTitle: { en: 'Delete {name}?', de: '{name} löschen?' },
  notUndone: { en: 'This cannot be undone.', de: 'Das lässt sich nicht rückgängig machen.' },
  inUse: { en: 'Still in use', de: 'Wird noch verwendet' },
} as const satisfies FeatureTexts;
