/**
 * Renders `packages/schema/src/values/country-names.ts`: the names of countries in the languages of the product and in their own, from
 * the CLDR data of Node's `Intl`, so that every server and browser knows the same ones.
 */
import { countryCodes } from '@trellis/schema/values/locale.ts';

const productLanguages = ['en', 'de'];

/** Official languages besides the most common one. */
const furtherLanguages: Readonly<Record<string, readonly string[]>> = {
  BE: ['fr', 'de'],
  CA: ['fr'],
  CH: ['fr', 'it', 'rm'],
  CN: ['zh-Hant'],
  CY: ['tr'],
  DZ: ['fr'],
  ES: ['ca', 'eu', 'gl'],
  FI: ['sv'],
  HK: ['zh-Hans', 'en'],
  IE: ['ga'],
  IL: ['ar'],
  IN: ['en', 'hi'],
  IQ: ['ku'],
  KZ: ['ru'],
  LK: ['ta'],
  LU: ['lb', 'de'],
  MA: ['fr'],
  MO: ['pt'],
  NO: ['nn'],
  NZ: ['mi'],
  PE: ['qu'],
  SG: ['zh', 'ms', 'ta'],
  TN: ['fr'],
  TW: ['zh-Hans'],
  UA: ['ru'],
  XK: ['sq'],
  ZA: ['af', 'zu'],
};

/** The file as it must be. */
export function renderCountryNames(): string {
  const lines = countryCodes.map((code) => `  ${code}: ${quote(namesOf(code).join('|'))},`);
  return [
    '/**',
    ' * The names of countries by their ISO 3166-1 code, divided by `|`: in English and German, and as the country itself writes it. From CLDR;',
    ' * `npm run generate` writes this file.',
    ' */',
    'export const countryNames: Readonly<Record<string, string>> = {',
    ...lines,
    '};',
    '',
  ].join('\n');
}

function namesOf(code: string): string[] {
  const own = new Intl.Locale(`und-${code}`).maximize().language;
  const languages = [...productLanguages, own, ...(furtherLanguages[code] ?? [])];
  const names = languages.flatMap((language) =>
    (['long', 'short'] as const).map((style) =>
      new Intl.DisplayNames(language, { type: 'region', fallback: 'none', style }).of(code),
    ),
  );
  return [...new Set(names)].filter((name): name is string => name !== undefined && name !== code);
}

function quote(text: string): string {
  return text.includes("'") ? `"${text}"` : `'${text}'`;
}
