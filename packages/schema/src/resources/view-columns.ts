/** The columns of a view as texts: the name of a field, and a width in pixels where it has one of its own, as in `title-320`. */

/** Widths of columns in pixels. */
export const columnWidth = { min: 60, max: 1_000 } as const;

export interface ViewColumn {
  readonly name: string;
  /** Null: as wide as there is room for. */
  readonly width: number | null;
}

/** Reads a column. What is not a width is left out: only what `writeColumn` gives is read whole. */
export function readColumn(written: string): ViewColumn {
  const [name = '', digits = ''] = written.split('-');
  const width = /^\d{2,4}$/.test(digits) ? Number(digits) : 0;
  return { name, width: width >= columnWidth.min && width <= columnWidth.max ? width : null };
}

/** The text of a column. */
export function writeColumn({ name, width }: ViewColumn): string {
  return width === null ? name : `${name}-${width}`;
}
