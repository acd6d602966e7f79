/** What the editor of a list says. */
import type { FeatureTexts } from '../text/feature.ts';

export const texts = {
  add: { en: 'Add', de: 'Hinzufügen' },
  addTo: { en: 'Add to {label}', de: 'Zu {label} hinzufügen' },
  entry: { en: '{label} {position}', de: '{label} {position}' },
  moveUp: { en: 'Move {label} {position} up', de: '{label} {position} nach oben' },
  moveDown: { en: 'Move {label} {position} down', de: '{label} {position} nach unten' },
  removeEntry: { en: 'Remove {label} {position}', de: '{label} {position} entfernen' },
} as const satisfies FeatureTexts;
