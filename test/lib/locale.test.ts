import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalizeLocale, canonicalizeTimeZone, isCountry } from '@trellis/schema/values/locale.ts';
import fastCheck from 'fast-check';
import { checkProperty } from './property.ts';

test('canonicalizeLocale gives the canonical form of a tag', () => {
  assert.equal(canonicalizeLocale('en'), 'en');
  assert.equal(canonicalizeLocale('EN-us'), 'en-US');
  assert.equal(canonicalizeLocale('zh-hant-tw'), 'zh-Hant-TW');
  assert.equal(canonicalizeLocale('iw'), 'he');
  assert.equal(canonicalizeLocale('bh'), 'bho');
  assert.equal(canonicalizeLocale('tw'), 'ak');
  assert.equal(canonicalizeLocale('de-u-co-phonebk'), 'de-u-co-phonebk');
  assert.equal(canonicalizeLocale('deu'), 'de');
});

test('canonicalizeLocale keeps variants, and gives the language for what BCP 47 has another tag for', () => {
  for (const [tag, canonical] of [
    ['ru-petr1708', 'ru-petr1708'],
    ['RU-Cyrl-PETR1708-u-nu-latn', 'ru-Cyrl-petr1708-u-nu-latn'],
    ['de-CH-1901', 'de-CH-1901'],
    ['ja-Latn-hepburn-heploc', 'ja-Latn-alalc97'],
    ['be-tarask', 'be-tarask'],
    ['zh-yue', 'yue'],
    ['zh-yue-HK', 'yue-HK'],
    ['zh-cmn-Hans-CN', 'zh-Hans-CN'],
    ['sgn-ase', 'ase'],
    ['i-klingon', 'tlh'],
    ['zh-min-nan', 'nan'],
    ['no-nyn', 'nn'],
    ['en-GB-oed', 'en-GB-oxendict'],
    ['sgn-BE-FR', 'sfb'],
    ['en-u-ca-gregory-x-petr1708', 'en-u-ca-gregory-x-petr1708'],
  ] as const) {
    assert.equal(canonicalizeLocale(tag), canonical, tag);
  }
});

test('canonicalizeLocale refuses what is not a tag', () => {
  for (const text of [
    '',
    'e',
    'en_US',
    'english!',
    'en-',
    '-en',
    'en US',
    'x-private',
    'en-US-en-US-',
    'é',
  ]) {
    assert.equal(canonicalizeLocale(text), null, text);
  }
});

/** Tags put together from their parts, among them old ones that have a newer form. */
const anyTag = fastCheck
  .tuple(
    fastCheck.oneof(
      fastCheck.constantFrom('iw', 'no', 'sh', 'zh-min-nan', 'art-lojban', 'sgn-BE-FR', 'mo', 'cmn'),
      fastCheck.stringMatching(/^[A-Za-z]{2,3}$/),
    ),
    fastCheck.oneof(fastCheck.constant(''), fastCheck.stringMatching(/^-[A-Za-z]{4}$/)),
    fastCheck.oneof(
      fastCheck.constantFrom('', '-SU', '-yu', '-BU', '-554'),
      fastCheck.stringMatching(/^-[A-Za-z]{2}$/),
    ),
    fastCheck.oneof(
      fastCheck.constantFrom(
        '',
        '-1996',
        '-heploc',
        '-u-ca-islamicc',
        '-u-tz-cnckg',
        '-t-iw-m0-true',
        '-x-private',
      ),
      fastCheck.stringMatching(/^-[A-Za-z0-9]{5,8}$/),
    ),
  )
  .map((parts) => parts.join(''));

test('canonicalizeLocale is idempotent and ignores letter case', (context) => {
  checkProperty(
    context,
    fastCheck.property(anyTag, (tag) => {
      const canonical = canonicalizeLocale(tag);
      assert.equal(canonicalizeLocale(tag.toUpperCase()), canonical);
      assert.equal(canonicalizeLocale(tag.toLowerCase()), canonical);
      if (canonical !== null) assert.equal(canonicalizeLocale(canonical), canonical);
    }),
    3000,
  );
});

test('canonicalizeTimeZone gives the names of zones in their letter case, aliases as they are', () => {
  const names = [
    'UTC',
    'GMT',
    'Etc/UTC',
    'Etc/GMT+5',
    'Europe/Berlin',
    'Europe/Kyiv',
    'Asia/Kolkata',
    'Asia/Calcutta',
  ];
  const oddlyWritten =
    'America/Port-au-Prince Africa/Dar_es_Salaam America/Port_of_Spain Europe/Isle_of_Man Antarctica/McMurdo ' +
    'Antarctica/DumontDUrville America/Knox_IN America/Argentina/ComodRivadavia Australia/NSW Australia/ACT Australia/LHI ' +
    'Brazil/DeNoronha Chile/EasterIsland Mexico/BajaNorte EST5EDT GMT0 GMT+0 Etc/UCT Zulu NZ-CHAT GB-Eire W-SU PRC ROK ' +
    'America/Argentina/Buenos_Aires America/Blanc-Sablon US/East-Indiana Asia/Ust-Nera Africa/Porto-Novo';
  for (const name of [...names, ...oddlyWritten.split(' ')]) {
    for (const written of [name, name.toLowerCase(), name.toUpperCase()])
      assert.equal(canonicalizeTimeZone(written), name, written);
  }
});

test('canonicalizeTimeZone refuses offsets and unknown names', () => {
  const texts = ['', '+01:00', '-08', 'Z', 'Mars/Base', 'Factory', 'a'.repeat(1_000)];
  for (const text of [...texts, 'UTC+1', 'Europe', 'Europe/', 'Europe/Berlin ', 'Etc/GMT+25']) {
    assert.equal(canonicalizeTimeZone(text), null, text);
  }
});

test('isCountry knows the 249 assigned codes', () => {
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  const assigned = letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountry);
  assert.equal(assigned.length, 249);
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  for (const code of assigned) {
    assert.ok(names.of(code), `${code} is no region`);
  }
  // Reserved, withdrawn and private codes, for which Intl has names too.
  for (const code of [
    'EU',
    'UK',
    'UN',
    'XK',
    'ZZ',
    'SU',
    'YU',
    'AN',
    'DD',
    'EA',
    'de',
    'DEU',
    '',
    'D',
    ' DE',
  ]) {
    assert.equal(isCountry(code), false, code);
  }
});
