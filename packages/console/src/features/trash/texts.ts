/** What the page of the trash says. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  search: { en: 'Search the trash', de: 'Papierkorb durchsuchen' },
  resource: { en: 'Kind', de: 'Art' },
  deleter: { en: 'Deleted by', de: 'Gelöscht von' },
  all: { en: 'Everything', de: 'Alles' },
  about: {
    en: 'Deleted records of the kinds that you may delete. A restored record keeps its ID and all its versions.',
    de: 'Gelöschte Einträge aller Arten, die Sie löschen dürfen. Ein wiederhergestellter Eintrag behält ID und alle Versionen.',
  },
  none: { en: 'The trash is empty', de: 'Der Papierkorb ist leer' },
  noneAbout: {
    en: 'Deleted records stay here for a while before they are removed for good.',
    de: 'Gelöschte Einträge bleiben hier eine Zeit lang, bevor sie endgültig entfernt werden.',
  },
  noneOf: { en: 'Nothing of this kind is in the trash.', de: 'Nichts dieser Art ist im Papierkorb.' },
  noMatchYet: {
    en: 'None of the records that were examined match. There are older ones.',
    de: 'Keiner der durchsuchten Einträge entspricht der Suche und den Filtern. Es gibt ältere.',
  },
  deletedBy: { en: 'Deleted by {name}', de: 'Gelöscht von {name}' },
  daysLeft: {
    en: '{days, plural, =0 {Less than a day left} one {One day left} other {# days left}}',
    de: '{days, plural, =0 {Noch weniger als ein Tag} one {Noch ein Tag} other {Noch # Tage}}',
  },
  restore: { en: 'Restore', de: 'Wiederherstellen' },
  restoreNamed: { en: 'Restore: {name}', de: 'Wiederherstellen: {name}' },
  selectAll: { en: 'Select all shown', de: 'Alle angezeigten auswählen' },
  selectDeletion: {
    en: 'Select all {count} of this deletion',
    de: 'Alle {count} dieser Löschung auswählen',
  },
  restoreSelected: {
    en: '{count, plural, =0 {Restore selected} other {Restore selected (#)}}',
    de: '{count, plural, =0 {Ausgewählte wiederherstellen} other {Ausgewählte wiederherstellen (#)}}',
  },
  restoredSelected: {
    en: '{count, plural, one {One record} other {# records}} restored.{failed, plural, =0 {} one { One could not be: the reason is in the list.} other { # could not be: the reasons are in the list.}}',
    de: '{count, plural, one {Ein Eintrag} other {# Einträge}} wiederhergestellt.{failed, plural, =0 {} one { Bei einem ging es nicht: Der Grund steht in der Liste.} other { Bei # ging es nicht: Die Gründe stehen in der Liste.}}',
  },
  purge: { en: 'Delete for good', de: 'Endgültig löschen' },
  purgeNamed: { en: 'Delete for good: {name}', de: 'Endgültig löschen: {name}' },
  purgeTitle: { en: 'Delete {name} for good?', de: '{name} endgültig löschen?' },
  purgeAbout: {
    en: 'This cannot be undone: it is removed from the trash with all its versions.',
    de: 'Das lässt sich nicht rückgängig machen: Der Eintrag wird mit allen Versionen aus dem Papierkorb entfernt.',
  },
  purged: { en: '{name} deleted for good.', de: '{name} endgültig gelöscht.' },
  searchMore: { en: 'Search older ones', de: 'Ältere durchsuchen' },
  more: { en: 'Show more', de: 'Mehr anzeigen' },
} satisfies FeatureTexts;
