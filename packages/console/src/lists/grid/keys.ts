/** Where keys lead in a grid (WAI-ARIA APG, "Grid"), and when a letter is one of them instead of what somebody types. */

/** A place among rows and columns, both counted from 0. */
export interface GridPlace {
  readonly row: number;
  readonly column: number;
}

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** The place that a key leads to; null for a key that leads nowhere. @param end the last place @param page rows of a window */
export function placeAfter(
  { key, ctrlKey, metaKey, altKey }: Key,
  { row, column }: GridPlace,
  end: GridPlace,
  page: number,
): GridPlace | null {
  const isEdge = key === 'Home' || key === 'End';
  if (metaKey || altKey || (ctrlKey && !isEdge)) return null;
  const go = (rows: number, columns: number) => ({
    row: Math.min(Math.max(row + rows, 0), end.row),
    column: Math.min(Math.max(column + columns, 0), end.column),
  });
  switch (key) {
    case 'ArrowDown':
      return go(1, 0);
    case 'ArrowUp':
      return go(-1, 0);
    case 'ArrowRight':
      return go(0, 1);
    case 'ArrowLeft':
      return go(0, -1);
    case 'PageDown':
      return go(page, 0);
    case 'PageUp':
      return go(-page, 0);
    case 'Home':
      return { row: ctrlKey ? 0 : row, column: 0 };
    case 'End':
      return { row: ctrlKey ? end.row : row, column: end.column };
    default:
      return null;
  }
}

/** Where a letter is typed, or chooses something: in a text, an open menu, a dialog, or the editor of a cell. */
const typing =
  'input:not([type=checkbox]), textarea, select, [contenteditable="true"], [role=dialog] *, [role=menu] *, [role=listbox] *, [data-editor] *';

/** Whether a key without Ctrl is free for a list: nobody types, and no dialog covers it. */
export function isFreeKey(event: KeyboardEvent): boolean {
  const { target, ctrlKey, metaKey, altKey, isComposing, defaultPrevented } = event;
  if (ctrlKey || metaKey || altKey || isComposing || defaultPrevented) return false;
  if (document.querySelector('[aria-modal="true"]') !== null) return false;
  return !(target instanceof Element && target.matches(typing));
}
