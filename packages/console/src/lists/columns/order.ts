/** Columns that are moved, added and made wider. The title is always the first one: it is what a row is known by. */
import { columnWidth } from '@trellis/schema/resources/view-columns.ts';

/** Widths of columns in pixels; those without one share the room. */
export type Widths = Readonly<Record<string, number>>;

/** The columns with one of them at another place. What is not among the places after the title stays where it is. */
export function moveColumn(columns: readonly string[], column: string, place: number): readonly string[] {
  const from = columns.indexOf(column);
  if (from < 1 || place < 1 || place >= columns.length || place === from) return columns;
  return columns.toSpliced(from, 1).toSpliced(place, 0, column);
}

/** The columns with another one: after the one that precedes it in the declaration, so that an order that people made is kept. */
export function addColumn(
  columns: readonly string[],
  column: string,
  declared: readonly string[],
): readonly string[] {
  const before = declared.slice(0, declared.indexOf(column)).filter((other) => columns.includes(other));
  const place = columns.indexOf(before.at(-1) ?? '') + 1;
  return columns.toSpliced(Math.max(place, 1), 0, column);
}

/** A width that is within the bounds, in whole pixels. */
export function boundWidth(pixels: number): number {
  return Math.round(Math.min(Math.max(pixels, columnWidth.min), columnWidth.max));
}

/** How columns share the room of a table. */
export interface Layout {
  /** For `grid-template-columns`; the checkboxes are first. */
  readonly template: string;
  /** Pixels that the table needs at least. */
  readonly least: number;
}

const checkboxPixels = 20;
const gapPixels = 16;
const paddingPixels = 12;
const leastTitle = 200;
const leastOther = 90;

/** @param shareOf how wide a column without a width is beside others */
export function layOut(
  columns: readonly string[],
  widths: Widths,
  shareOf: (column: string) => number,
): Layout {
  const tracks = columns.map((column, place) => {
    const least = place === 0 ? leastTitle : leastOther;
    const width = widths[column];
    return width === undefined
      ? { least, track: `minmax(${least}px, ${shareOf(column)}fr)` }
      : { least: width, track: `${width}px` };
  });
  const sum = tracks.reduce((pixels, { least }) => pixels + gapPixels + least, 0);
  return {
    template: [`${checkboxPixels}px`, ...tracks.map(({ track }) => track)].join(' '),
    least: sum + checkboxPixels + 2 * paddingPixels,
  };
}
