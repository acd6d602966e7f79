import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainCountry, readCountry } from '@trellis/schema/values/country.ts';
import { countryCodes } from '@trellis/schema/values/locale.ts';

const written: Readonly<Record<string, readonly string[]>> = {
  US: ['USA', 'U.S.A.', 'us', 'United States', 'United States of America', 'Vereinigte Staaten', 'America'],
  GB: [
    'UK',
    'U.K.',
    'England',
    'Great Britain',
    'United Kingdom',
    'Großbritannien',
    'Grossbritannien',
    'GBR',
  ],
  NL: ['Holland', 'The Netherlands', 'Niederlande', 'Nederland'],
  TR: ['Türkiye', 'Turkiye', 'Turkey', 'Türkei', 'Tuerkei'],
  ES: ['España', 'ESPANA', 'Spain', 'Spanien', 'ESP', 'E'],
  DE: ['DEU', 'D', 'de', 'Deutschland', 'Germany', ' Deutschland\u00a0', 'Ger\u00admany'],
  AT: ['Österreich', 'Oesterreich', 'A', 'AUT'],
  CH: ['Schweiz', 'Suisse', 'Svizzera', 'Switzerland', 'CHE'],
  CI: ["Côte d'Ivoire", 'Cote d’Ivoire', 'Ivory Coast', 'Elfenbeinküste'],
  KR: ['Korea, Republic of', 'Republic of Korea', 'South Korea', '대한민국'],
  KP: ["Korea, Democratic People's Republic of", 'North Korea'],
  IR: ['Iran (Islamic Republic of)', 'Iran, Islamic Republic of'],
  BA: ['Bosnia and Herzegovina', 'Bosnia & Herzegovina', 'Bosnien und Herzegowina'],
  BS: ['Bahamas, The', 'The Bahamas'],
  LC: ['St. Lucia', 'Saint Lucia'],
  CD: ['DR Congo', 'Congo - Kinshasa', 'Congo, The Democratic Republic of the'],
  CG: ['Republic of the Congo', 'Congo-Brazzaville'],
  AD: ['AND', 'Andorra'],
  HK: ['Hong Kong', 'Hongkong', '香港'],
  JP: ['日本', 'Japan'],
  RU: ['Россия', 'Russian Federation', 'Russland'],
  IE: ['Ireland', 'Éire', 'Irland'],
  CZ: ['Czech Republic', 'Česko', 'Tschechien'],
  SZ: ['Swaziland', 'Eswatini'],
};

test('a country is known by its names in both languages, its own, and by codes', () => {
  for (const [code, names] of Object.entries(written))
    for (const name of names) assert.equal(readCountry(name), code, name);
});

test('each country is known by its codes and by its names of CLDR, which no two share', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const german = new Intl.DisplayNames('de', { type: 'region', fallback: 'none' });
  for (const code of countryCodes)
    for (const text of [code, code.toLowerCase(), names.of(code), german.of(code)])
      assert.equal(readCountry(text ?? ''), code, text);
});

test('a name of several countries or of none is not known, and the message says which is near', () => {
  for (const name of ['Korea', 'Congo', 'Kosovo', 'XX', 'AN', 'Europe', '', 'x'.repeat(10_000)])
    assert.equal(readCountry(name), null, name);
  assert.equal(
    explainCountry('Germny'),
    '"Germny" is not the name or code of a country. Did you mean "Germany"?',
  );
  assert.match(explainCountry('Schwiez'), /Did you mean "Schweiz"/);
  assert.match(explainCountry('Atlantis'), /Its code \(ISO 3166-1\)/);
});
