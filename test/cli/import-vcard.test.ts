/** vCards of address books, in all versions and with their oddities. */
import assert from 'node:assert/strict';
import { readFile as readSample } from 'node:fs/promises';
import { test } from 'node:test';
import { unfold } from '@trellis/importer/readers/vcard-lines.ts';
import { findSuperlinear } from '../support/growth.ts';
import { toFile } from '../support/source-file.ts';
import { openFile, readFile, readPlaces } from '../support/source-rows.ts';

const sample = await readSample(new URL('../samples/systems/contacts.vcf', import.meta.url));
const toCard = (...lines: readonly string[]) =>
  toFile('contacts.vcf', `${['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD'].join('\r\n')}\r\n`);

test('several cards of several versions', async () => {
  const source = await openFile(toFile('contacts.vcf', sample));
  assert.deepEqual(await readPlaces(source), [
    [
      'line 1',
      {
        firstName: 'Ada Marie',
        lastName: 'Example',
        'name prefix': 'Dr.',
        'companies.name': 'Example GmbH',
        department: 'Research, Optics',
        jobTitle: 'Engineer',
        'emails 1 address': 'ada@vcf.example',
        'emails 1 label': 'work',
        'emails 2 address': 'ada@home.example',
        'emails 2 label': 'other',
        'phones 1 number': '+49 170 1234567',
        'phones 1 label': 'mobile',
        'phones 2 number': '+49 30 1234567',
        'phones 2 label': 'assistant',
        'addresses 1 street': 'Street 1, Floor 2',
        'addresses 1 city': 'Berlin',
        'addresses 1 postalCode': '10115',
        'addresses 1 country': 'Germany',
        tags: ['Friends', 'Customers'],
        notes: 'One line\nand another, with a very long text that has to be folded because it does not fit',
        externalId: '11111111-2222-4333-8444-555555555555',
        BDAY: '1815-12-10',
      },
    ],
    [
      'line 24',
      {
        firstName: 'Jürgen',
        lastName: 'Müller',
        'emails 1 address': 'juergen@vcf.example',
        'phones 1 number': '+49 30 7654321',
        'phones 1 label': 'home fax',
      },
    ],
    [
      'line 32',
      {
        fullName: 'Bo Carlsen',
        'phones 1 number': '+4530123456 ext. 7',
        'phones 1 label': 'work',
        locale: 'da',
        timezone: 'Europe/Copenhagen',
        externalId: '22222222-2222-4333-8444-555555555555',
      },
    ],
  ]);
  assert.deepEqual(Object.fromEntries(source.skipped), { groups: 1, photos: 1 });
});

test('values as programs write them', async () => {
  const cases: [lines: string[], fields: Record<string, unknown>][] = [
    [['N:Example\\, Jr.;Ada\\;B;;;'], { firstName: 'Ada;B', lastName: 'Example, Jr.' }],
    [['FN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:J=FCrgen'], { fullName: 'Jürgen' }],
    [['fn:Ada', 'email:mailto:a@x.example'], { fullName: 'Ada', 'emails 1 address': 'a@x.example' }],
    [['FN:Ada', 'EMAIL:', 'TEL: ', 'NOTE:'], { fullName: 'Ada' }],
    [['FN:Ada', 'ROLE:Chair', 'ORG:;'], { fullName: 'Ada', jobTitle: 'Chair' }],
    [
      ['FN:Ada', 'ORG:X', 'ROLE:Chair', 'TITLE:Dean'],
      { fullName: 'Ada', 'companies.name': 'X', 'companies.role': 'Chair', jobTitle: 'Dean' },
    ],
    [
      ['FN:Ada', 'ADR:;;1 Way\\nBack door;;;;'],
      { fullName: 'Ada', 'addresses 1 street': '1 Way, Back door' },
    ],
    [
      ['FN:Ada', 'PHOTO;VALUE=uri:https://x.example/a.jpg'],
      { fullName: 'Ada', PHOTO: 'https://x.example/a.jpg' },
    ],
    [['FN:Ada', 'SOURCE:ldap://x', 'no property', 'REV:1'], { fullName: 'Ada' }],
    [['FN:Ada', 'AGENT:', 'BEGIN:VCARD', 'FN:Other', 'END:VCARD', 'NOTE:n'], { fullName: 'Ada', notes: 'n' }],
    [
      ['FN:A', 'TEL;TYPE=constructor:1'],
      { fullName: 'A', 'phones 1 number': '1', 'phones 1 label': 'constructor' },
    ],
    [['FN:A', 'X-NOTE;X="a:b;c":v'], { fullName: 'A', 'X-NOTE': 'v' }],
  ];
  for (const [lines, fields] of cases)
    assert.deepEqual(await readFile(toCard(...lines)), [fields], lines.join());
  const latin = Buffer.from('BEGIN:VCARD\nVERSION:2.1\nFN:J\xfcrgen\nEND:VCARD\n', 'latin1');
  assert.deepEqual(await readFile(toFile('a.vcf', latin)), [{ fullName: 'Jürgen' }]);
});

test('cards without an end or without bounds cost no other', async () => {
  const cut = toFile('a.vcf', 'BEGIN:VCARD\nFN:Ada\nEND:VCARD\nBEGIN:VCARD\nFN:Bo\n');
  assert.deepEqual(await readFile(cut), [{ fullName: 'Ada' }, 'The card has no end, or is too large.']);
  const long = `PHOTO;ENCODING=b:${'A'.repeat(1_100_000)}`;
  assert.deepEqual(await readFile(toCard('FN:Ada', long)), [{ fullName: 'Ada' }]);
  const grown = findSuperlinear(20_000, (size) =>
    unfold(['NOTE;ENCODING=QUOTED-PRINTABLE:a=', ...Array.from({ length: size / 10 }, () => ' quoted-p=')]),
  );
  assert.equal(grown, null);
});

test('a card of more than 16 MiB is refused, and the next one is read', async () => {
  const line = `NOTE:${'x'.repeat(1_000_000)}\r\n`;
  const cards = `BEGIN:VCARD\r\n${line.repeat(17)}END:VCARD\r\nBEGIN:VCARD\r\nFN:Ada\r\nEND:VCARD\r\n`;
  assert.deepEqual(await readFile(toFile('contacts.vcf', cards)), [
    'The card has no end, or is too large.',
    { fullName: 'Ada' },
  ]);
});
