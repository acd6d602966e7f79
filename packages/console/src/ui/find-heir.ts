/** Finds what gets the focus in place of an element that has lost it. */
import { findInput } from './find-input.ts';

/** What had the focus last, and where it stood. */
export interface Place {
  readonly element: HTMLElement;
  /** The row of a list that it was in, the list, and the position of the row. */
  readonly row: HTMLElement | null;
  readonly list: Element | null;
  readonly index: number;
  /** The path of the page. */
  readonly path: string;
}

/**
 * The element itself, if it can have the focus again; the control in the same place of the next row; the same field of the record that was
 * just created; the dialog that is open; or the heading of the page. @returns null while it has to be waited for
 */
export function findHeir(place: Place): HTMLElement | null {
  const { element } = place;
  const isThere = element.isConnected && element.checkVisibility({ visibilityProperty: true });
  if (isThere && !isDisabled(element)) return element;
  // Inputs, and buttons that wait for a response, come back.
  if (isThere && (!element.matches('button') || element.hasAttribute('data-loading'))) return null;
  const dialog = [...document.querySelectorAll<HTMLElement>('[aria-modal="true"]')].at(-1);
  const scope = dialog ?? document.body;
  return (
    findInRow(place, scope) ??
    findInForm(place, scope) ??
    (dialog === undefined
      ? document.querySelector<HTMLElement>('main h1')
      : (dialog.querySelector<HTMLElement>('[data-autofocus]') ?? dialog))
  );
}

/** In the row that is now where the other one was, or in the last one. The tools at the end of rows are alike. */
function findInRow({ element, row, list, index }: Place, scope: Element): HTMLElement | null {
  const next = list?.children[Math.min(index, list.children.length - 1)];
  if (row === null || next === undefined || !scope.contains(next)) return null;
  const before = controlsOf(row);
  const controls = controlsOf(next);
  const same = controls.at(before.indexOf(element) - before.length);
  return [same, ...controls].find((control) => control && !isDisabled(control)) ?? null;
}

/** In the same form, or in that of the record which the form has created. */
function findInForm({ element, path }: Place, scope: Element): HTMLElement | null {
  const pointer = element.closest<HTMLElement>('[data-pointer]')?.dataset.pointer;
  const isCreated = path.endsWith('/new') && location.pathname.startsWith(path.slice(0, -'new'.length));
  return pointer !== undefined && (isCreated || location.pathname === path)
    ? findInput(scope, pointer)
    : null;
}

function controlsOf(row: Element): readonly HTMLElement[] {
  return [
    ...row.querySelectorAll<HTMLElement>('a[href], button, input:not([type="hidden"]), select, textarea'),
  ];
}

function isDisabled(element: HTMLElement): boolean {
  return element.matches(':disabled');
}
