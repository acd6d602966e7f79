/** Arithmetic of measurements. */

/** The middle one, or the mean of the two in the middle. */
export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

/** The number below which this part of them is, interpolated between its neighbours; 0 of none. */
export function quantile(numbers: readonly number[], part: number): number {
  const sorted = [...numbers].sort((left, right) => left - right);
  const at = (index: number) => sorted[index] ?? 0;
  const place = Math.max(0, sorted.length - 1) * part;
  const below = Math.floor(place);
  return at(below) + (at(Math.ceil(place)) - at(below)) * (place - below);
}
