/** The countries of ISO 3166-1, in the language of the page. */

/** Codes that browsers have names for and that ISO 3166-1 does not assign to countries. */
const others = new Set([
  'AC',
  'CP',
  'CQ',
  'DG',
  'EA',
  'EU',
  'EZ',
  'IC',
  'QO',
  'TA',
  'UN',
  'XA',
  'XB',
  'XK',
  'ZZ',
]);

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Codes with names, by name. */
export function listCountries(locale: string): readonly { readonly value: string; readonly label: string }[] {
  const names = new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' });
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !others.has(code) && new Intl.Locale(`und-${code}`).region === code)
    .flatMap((code) => {
      const label = names.of(code);
      return label === undefined ? [] : [{ value: code, label }];
    })
    .sort((one, other) => one.label.localeCompare(other.label, locale));
}
