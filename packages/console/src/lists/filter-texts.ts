/** What the filters of lists say. */
import type { FeatureTexts } from '../text/feature.ts';

export const texts = {
  find: { en: 'Find a field', de: 'Feld suchen' },
  none: { en: 'Nothing found', de: 'Nichts gefunden' },
  condition: { en: '{name}: condition', de: '{name}: Bedingung' },
  is: { en: 'is', de: 'ist' },
  isOneOf: { en: 'is one of', de: 'ist eines von' },
  contains: { en: 'contains', de: 'enthält' },
  between: { en: 'from … to', de: 'von … bis' },
  empty: { en: 'is empty', de: 'ist leer' },
  filled: { en: 'is not empty', de: 'ist nicht leer' },
  from: { en: '{name} from', de: '{name} von' },
  to: { en: '{name} to', de: '{name} bis' },
  filter: { en: 'Filter', de: 'Filter' },
  remove: { en: 'Remove the filter {name}', de: 'Filter {name} entfernen' },
} as const satisfies FeatureTexts;
