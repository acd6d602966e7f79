/** Cells of CSV that spreadsheets would take for formulas: exports guard them with an apostrophe, imports of exports remove it. */

/**
 * What a spreadsheet would take for a formula, also in full-width characters, behind any number of apostrophes, so that a text that begins
 * with one can be told from a guarded one. Numbers and telephone numbers are none.
 */
const formula = /^'*(?:[=@＝＠\t\r\n]|[+＋－-](?![\d\s()./-]*$))/;

/** A text with an apostrophe before it if it is a formula. */
export function guardFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** The text of which {@link guardFormula} made another one. */
export function unguardFormula(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
}
