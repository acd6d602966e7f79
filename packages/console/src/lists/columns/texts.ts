/** What lists say about the order and the width of columns, and about sorting. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  sort: { en: 'Sort', de: 'Sortieren' },
  textFirst: { en: '{name}: A to Z', de: '{name}: A bis Z' },
  textSecond: { en: '{name}: Z to A', de: '{name}: Z bis A' },
  instantFirst: { en: '{name}: newest first', de: '{name}: neueste zuerst' },
  instantSecond: { en: '{name}: oldest first', de: '{name}: älteste zuerst' },
  numberFirst: { en: '{name}: highest first', de: '{name}: höchste zuerst' },
  numberSecond: { en: '{name}: lowest first', de: '{name}: niedrigste zuerst' },
  menu: { en: 'Column {name}', de: 'Spalte {name}' },
  left: { en: 'Move left', de: 'Nach links' },
  right: { en: 'Move right', de: 'Nach rechts' },
  wider: { en: 'Wider', de: 'Breiter' },
  narrower: { en: 'Narrower', de: 'Schmaler' },
  fit: { en: 'Fit to content', de: 'An Inhalt anpassen' },
  reset: { en: 'Default width', de: 'Standardbreite' },
  hide: { en: 'Hide', de: 'Ausblenden' },
  moved: {
    en: '{name} is now column {place} of {count}.',
    de: '{name} ist jetzt Spalte {place} von {count}.',
  },
  sized: { en: '{name} is {pixels} pixels wide.', de: '{name} ist {pixels} Pixel breit.' },
  resize: {
    en: 'Drag to resize; double-click to fit',
    de: 'Ziehen ändert die Breite, Doppelklick passt sie an',
  },
  defaults: { en: 'Default columns', de: 'Standardspalten' },
} as const satisfies FeatureTexts;
