/** Texts about changes by others. */
import type { FeatureTexts } from '../text/feature.ts';

export const texts = {
  changed: { en: 'Changed by {name} {when}', de: 'Geändert von {name} {when}' },
  deleted: { en: 'Deleted by {name} {when}', de: 'Gelöscht von {name} {when}' },
  deletedRow: { en: 'Deleted', de: 'Gelöscht' },
  fresh: {
    en: '{count, plural, one {Show one new record} other {Show # new records}}',
    de: '{count, plural, one {Einen neuen Eintrag anzeigen} other {# neue Einträge anzeigen}}',
  },
  changedElsewhere: {
    en: '{own, select, true {You changed {fields} in another window} other {{name} changed {fields}}}, which you are also editing. When you save, you choose what to keep.',
    de: '{own, select, true {Sie haben {fields} in einem anderen Fenster} other {{name} hat {fields}}} geändert, woran Sie gerade arbeiten. Beim Speichern wählen Sie, was bleiben soll.',
  },
} as const satisfies FeatureTexts;
