/** Which columns that were mapped by hand form one item of a list, for each list of objects that a resource has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ItemCells } from '@trellis/importer/cells.ts';
import { noChoices } from '@trellis/importer/columns.ts';
import { isListOfObjects, membersOf, writableFields } from '@trellis/importer/destinations.ts';
import { Mapping } from '@trellis/importer/mapping.ts';
import { contacts } from '@trellis/schema/resources/contacts.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';

type Rules = readonly (readonly [column: string, to: string])[];

/** The items of a list in a row, as members with values. @param isTable whether each row has the columns of the header */
function readItems(
  resource: Resource,
  field: string,
  rules: Rules,
  row: Readonly<Record<string, string>>,
  isTable: boolean,
): readonly Readonly<Record<string, unknown>>[] {
  const columns = isTable ? Object.keys(row) : null;
  const mapping = new Mapping(resource, { rules: new Map(rules), isPosts: false, columns }, noChoices);
  const given = Object.entries(row).filter(([, value]) => value !== '');
  const items: readonly ItemCells[] = mapping.map({ fields: new Map(given) }, false).members.get(field) ?? [];
  return items.map(({ cells }) => Object.fromEntries(cells));
}

const lists = resources.flatMap((resource) =>
  writableFields(resource).flatMap(([field, declared]) => {
    const members = Object.keys(membersOf(declared));
    return isListOfObjects(declared) && members.length > 1 ? [{ resource, field, members }] : [];
  }),
);

test('there are lists of objects with several members to try', () => {
  const named = lists.map(({ resource, field }) => `${resource.name} ${field}`);
  for (const name of ['contacts addresses', 'companies phones', 'books contributors'])
    assert.ok(named.includes(name), name);
});

for (const { resource, field, members } of lists) {
  const rowOf = (rules: Rules, mark: string) =>
    Object.fromEntries(rules.map(([column, to]) => [column, `${to} ${mark}`]));
  const itemOf = (mark: string) =>
    Object.fromEntries(members.map((member) => [member, `${field}.${member} ${mark}`]));

  for (const isTable of [true, false]) {
    const form = isTable ? 'a table' : 'lines of JSON';
    test(`columns of ${form} mapped to ${field} of ${resource.name} are one item, and two where they are repeated or numbered`, () => {
      const plain = members.map(
        (member, index) => [`Spalte ${'abcdefgh'[index]}`, `${field}.${member}`] as const,
      );
      assert.deepEqual(readItems(resource, field, plain, rowOf(plain, 'x'), isTable), [itemOf('x')]);

      const again = plain.map(([column, to]) => [`${column} privat`, to] as const);
      const bySide = [...plain, ...again];
      const repeated = { ...rowOf(plain, 'x'), ...rowOf(again, 'y') };
      assert.deepEqual(readItems(resource, field, bySide, repeated, isTable), [itemOf('x'), itemOf('y')]);

      const second = plain.map(([column, to]) => [`${column} 2`, to] as const);
      const mixed = second.flatMap((rule, index) => [rule, ...plain.slice(index, index + 1)]);
      const numbered = { ...rowOf(second, 'y'), ...rowOf(plain, 'x') };
      const items = readItems(resource, field, mixed, numbered, isTable);
      assert.deepEqual(new Set(items), new Set([itemOf('x'), itemOf('y')]));

      const explicit = [
        ...plain.map(([column, to]) => [column, to.replace(`${field}.`, `${field}.1.`)] as const),
        ...again.map(([column, to]) => [column, to.replace(`${field}.`, `${field}.2.`)] as const),
      ];
      assert.deepEqual(readItems(resource, field, explicit, repeated, isTable), [itemOf('x'), itemOf('y')]);
    });
  }
}

test('columns mapped by hand complete the address of columns that are known by name', () => {
  const rules: Rules = [
    ['Strasse', 'addresses.street'],
    ['Plz.', 'addresses.postalCode'],
  ];
  const row = { Strasse: 'Am Markt 1', 'Plz.': '10115', city: 'Berlin', country: 'DE' };
  for (const isTable of [true, false]) {
    assert.deepEqual(readItems(contacts, 'addresses', rules, row, isTable), [
      { street: 'Am Markt 1', postalCode: '10115', city: 'Berlin', country: 'DE' },
    ]);
  }
});

test('columns mapped by hand are a further item beside columns that are known by name and have the same members', () => {
  const rules: Rules = [
    ['Strasse privat', 'addresses.street'],
    ['Ort privat', 'addresses.city'],
    ['Zweite Mail', 'emails.address'],
  ];
  const row = {
    street: 'Am Markt 1',
    city: 'Berlin',
    'Strasse privat': 'Seeweg 2',
    'Ort privat': 'Potsdam',
    email: 'ada@example.com',
    'Zweite Mail': 'home@example.com',
  };
  for (const isTable of [true, false]) {
    assert.deepEqual(readItems(contacts, 'addresses', rules, row, isTable), [
      { street: 'Am Markt 1', city: 'Berlin' },
      { street: 'Seeweg 2', city: 'Potsdam' },
    ]);
    assert.deepEqual(readItems(contacts, 'emails', rules, row, isTable), [
      { address: 'ada@example.com' },
      { address: 'home@example.com' },
    ]);
  }
});

test('items of a table do not depend on which cells of a row are empty', () => {
  const rules: Rules = [
    ['Nummer A', 'phones.number'],
    ['Art A', 'phones.label'],
    ['Nummer B', 'phones.number'],
    ['Art B', 'phones.label'],
  ];
  const row = { 'Nummer A': '', 'Art A': 'mobil', 'Nummer B': '+49 30 2', 'Art B': 'Büro' };
  assert.deepEqual(readItems(contacts, 'phones', rules, row, true), [
    { label: 'mobil' },
    { number: '+49 30 2', label: 'Büro' },
  ]);
});

test('a number that is only a part of one name does not make a second item', () => {
  const rules: Rules = [
    ['Zeile 2 der Anschrift', 'addresses.street'],
    ['Plz.', 'addresses.postalCode'],
    ['Ort', 'addresses.city'],
  ];
  const row = { 'Zeile 2 der Anschrift': 'Am Markt 1', 'Plz.': '10115', Ort: 'Berlin' };
  assert.deepEqual(readItems(contacts, 'addresses', rules, row, true), [
    { street: 'Am Markt 1', postalCode: '10115', city: 'Berlin' },
  ]);
});
