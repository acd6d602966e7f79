/** Cells of CSV that spreadsheets would take for formulas: exports guard them with an apostrophe, imports of exports remove it. */

/**
 * Where a spreadsheet would find a formula, also in full-width characters, behind any number of apostrophes, so that a text that begins
 * with one can be told from a guarded one. Numbers and telephone numbers are none. A spreadsheet that separates cells by semicolons, as
 * those of most of Europe do, begins a cell after each, and a row after the end of a line, because it does not see the quotation marks.
 */
const places = (guard: string) =>
  new RegExp(
    [
      `^${guard}(?='*[\\t\\r\\n])`,
      `(?<=^|;)${guard}(?='*(?:[=@＝＠]|[+＋－-](?![\\d\\s()./-]*(?:$|;))))`,
      `(?<=[\\r\\n])${guard}(?='*[=@＝＠])`,
    ].join('|'),
    'g',
  );
const unguarded = places('');
const guarded = places("'");

/** A text with an apostrophe before each formula in it. */
export function guardFormula(text: string): string {
  return text.replace(unguarded, "'");
}

/** The text of which {@link guardFormula} made another one. */
export function unguardFormula(text: string): string {
  return text.replace(guarded, '');
}
