import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalizeLocale, isCountry, isTimeZone } from '../../src/lib/locale.ts';

test('canonicalizeLocale gives the canonical form of a tag', () => {
  assert.equal(canonicalizeLocale('en'), 'en');
  assert.equal(canonicalizeLocale('EN-us'), 'en-US');
  assert.equal(canonicalizeLocale('zh-hant-tw'), 'zh-Hant-TW');
  assert.equal(canonicalizeLocale('iw'), 'he');
  assert.equal(canonicalizeLocale('de-u-co-phonebk'), 'de-u-co-phonebk');
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

test('isTimeZone accepts the names of zones', () => {
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
  for (const name of [...names, 'America/Argentina/Buenos_Aires', 'America/Port-au-Prince', 'US/Eastern']) {
    assert.equal(isTimeZone(name), true, name);
  }
});

test('isTimeZone refuses offsets, other letter cases and unknown names', () => {
  const texts = [
    '',
    '+01:00',
    '-08',
    'Z',
    'utc',
    'Utc',
    'europe/berlin',
    'Europe/BERLIN',
    'EUROPE/BERLIN',
    'Mars/Base',
  ];
  for (const text of [
    ...texts,
    'UTC+1',
    'Europe',
    'Europe/',
    'Europe/Berlin ',
    'Etc/GMT+25',
    'asia/kolkata',
  ]) {
    assert.equal(isTimeZone(text), false, text);
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
