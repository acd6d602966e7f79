/** What the list of keys says. */
import type { FeatureTexts } from '../text/feature.ts';

export const texts = {
  palette: { en: 'Search pages and records', de: 'Seiten und Einträge suchen' },
  help: { en: 'Show this list', de: 'Diese Liste anzeigen' },
  search: { en: 'Search in a list', de: 'In einer Liste suchen' },
  new: { en: 'New record in a list', de: 'Neuer Eintrag in einer Liste' },
  rows: { en: 'Next and previous row of a list', de: 'Nächste und vorige Zeile einer Liste' },
  mark: { en: 'Select the row', de: 'Zeile auswählen' },
  select: {
    en: 'Go to a cell; with Shift, select rows',
    de: 'Zu einer Zelle gehen; mit Umschalt Zeilen auswählen',
  },
  columns: {
    en: 'Move a column, on its heading; with Shift, make it wider or narrower',
    de: 'Spalte verschieben, auf ihrer Überschrift; mit Umschalt ihre Breite ändern',
  },
  edit: { en: 'Edit the cell, also with Enter', de: 'Zelle bearbeiten, auch mit Enter' },
  save: { en: 'Save a record', de: 'Eintrag speichern' },
  close: { en: 'Close a dialog', de: 'Dialog schließen' },
  single: { en: 'Shortcuts without Ctrl', de: 'Tastenkürzel ohne Strg' },
} as const satisfies FeatureTexts;
