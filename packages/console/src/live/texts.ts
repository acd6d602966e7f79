/** What the pages say about what others change. */
import type { FeatureTexts } from '../text/feature.ts';

export const texts = {
  changed: { en: 'Changed by {name} {when}', de: 'Geändert von {name} {when}' },
  deleted: { en: 'Deleted by {name} {when}', de: 'Gelöscht von {name} {when}' },
  deletedRow: { en: 'Deleted', de: 'Gelöscht' },
  fresh: {
    en: '{count, plural, one {One new: show} other {# new: show}}',
    de: '{count, plural, one {Ein neuer: zeigen} other {# neue: zeigen}}',
  },
  changedElsewhere: {
    en: '{name} changed {fields}, which you are changing too. When you save, you choose which stays.',
    de: '{name} hat {fields} geändert, woran Sie auch arbeiten. Beim Speichern wählen Sie, was bleibt.',
  },
} as const satisfies FeatureTexts;
