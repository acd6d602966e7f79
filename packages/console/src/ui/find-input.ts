/** Finds the input of a value in a form, or of what the value is in. */

/** @param pointer to the value, as the problems of the API name it */
export function findInput(place: Element, pointer: string): HTMLElement | null {
  for (let outer = pointer; outer !== ''; outer = outer.slice(0, outer.lastIndexOf('/'))) {
    const input = place.querySelector<HTMLElement>(
      `[data-pointer="${CSS.escape(outer)}"] :is(input, textarea, button):not([type="hidden"], [disabled])`,
    );
    if (input !== null) return input;
  }
  return null;
}
