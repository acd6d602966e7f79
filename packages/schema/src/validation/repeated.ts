/** Finds repeated values. */

import type { Fault } from '../problem.ts';

/** A fault for every value that occurs earlier in the list. `detail`: its text for the item at an index. */
export function findRepeated(
  values: readonly { readonly value: string; readonly pointer: string }[],
  detail: (index: number) => string,
): Fault[] {
  const seen = new Set<string>();
  return values.flatMap(({ value, pointer }, index) => {
    if (seen.has(value)) return [{ pointer, code: 'repeated', detail: detail(index) }];
    seen.add(value);
    return [];
  });
}
