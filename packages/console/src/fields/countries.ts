/** The countries of ISO 3166-1, in the language of the page. */
import { readCountry } from '@trellis/schema/values/country.ts';
import { countryCodes } from '@trellis/schema/values/locale.ts';

/** A country that can be chosen. */
export interface CountryOption {
  readonly value: string;
  readonly label: string;
}

/** Codes with their names, by name. */
export function listCountries(locale: string): readonly CountryOption[] {
  const names = new Intl.DisplayNames([locale], { type: 'region' });
  return countryCodes
    .map((code) => ({ value: code, label: names.of(code) ?? code }))
    .sort((one, other) => one.label.localeCompare(other.label, locale));
}

/** The countries that a person may mean: by a part of the name, or by any other name or code of the country. */
export function findCountries(options: readonly CountryOption[], search: string): readonly CountryOption[] {
  const wanted = search.trim().toLowerCase();
  const named = readCountry(search);
  const found = options.filter(({ label }) => label.toLowerCase().includes(wanted));
  return named === null
    ? found
    : [...options.filter(({ value }) => value === named), ...found.filter(({ value }) => value !== named)];
}
