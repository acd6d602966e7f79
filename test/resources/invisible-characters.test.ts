/** Characters that nobody sees, in every text of every resource: the value is stored without them, and is then the same value. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filtersOf } from '@trellis/schema/resources/filters.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { checkParameters } from '@trellis/schema/validation/check-parameters.ts';
import { comparisonKey, formats } from '@trellis/schema/validation/formats.ts';
import { createInputReader } from '@trellis/schema/validation/input.ts';
import { exampleOf, type TextPlace, textsOf } from '../support/text-places.ts';

const readers = new Map(resources.map((resource) => [resource, createInputReader(resource)]));

/** What the body of a change makes of a text in that place. */
function store(resource: Resource, { name, write }: TextPlace, text: unknown): unknown {
  const [first = '', second] = name.split('.');
  const group = resource.fields[first];
  const isInGroup = group !== undefined && 'group' in group && second !== undefined;
  const body = isInGroup ? { [first]: { [second]: write(text) } } : { [first]: write(text) };
  const { values, faults } = readers.get(resource)?.patch(body) ?? assert.fail();
  assert.deepEqual(faults, [], `${resource.name} ${name}: ${JSON.stringify(text)}`);
  return values;
}

const ends = ['\ufeff', '\u200b', '\u200e', '\u00ad', '\u2060', '\u202a', '\u3164', '\u00a0', '\u2003'];
/** Within a word: those that are no space. */
const inside = ['\ufeff', '\u200b', '\u200e', '\u00ad', '\u2060', '\u202e', '\u3164'];

test('a text is stored without what nobody sees at its ends', () => {
  let places = 0;
  for (const resource of resources) {
    for (const place of textsOf(resource)) {
      const text = String(exampleOf(place.schema));
      const plain = store(resource, place, text);
      for (const nothing of ends) {
        assert.deepEqual(
          store(resource, place, `${nothing}${text}${nothing}`),
          plain,
          `${resource.name} ${place.name}`,
        );
        places += 1;
      }
    }
  }
  assert.ok(places > 500);
});

test('addresses, numbers and names are stored without what nobody sees inside', () => {
  const found = new Set<string>();
  for (const resource of resources) {
    for (const place of textsOf(resource)) {
      const { format } = place.schema;
      if (format === undefined) continue;
      found.add(format);
      const text = String(exampleOf(place.schema));
      const plain = store(resource, place, text);
      for (const nothing of inside) {
        const pasted = `${text.slice(0, 2)}${nothing}${text.slice(2)}`;
        assert.deepEqual(store(resource, place, pasted), plain, `${resource.name} ${place.name} ${format}`);
      }
    }
  }
  const expected =
    'name external-id email-address domain-name domain http-url https-url phone isbn13 issn doi slug role-key locale timezone ' +
    'country currency color label partial-date decimal';
  assert.deepEqual([...found].sort(), expected.split(' ').sort());
});

test('filters and comparisons ignore what nobody sees as well', () => {
  for (const resource of resources) {
    for (const [name, filter] of Object.entries(filtersOf(resource))) {
      const format = 'format' in filter ? filter.format : undefined;
      if (format === undefined) continue;
      const schema: JsonSchema = { type: 'string', format, maxLength: 254 };
      const read = (text: string) => {
        const query = new URLSearchParams({ [name]: text }).toString();
        const checked = checkParameters(query, [{ name, required: false, schema }]);
        assert.deepEqual(checked.invalid, [], `${resource.name} ${name}`);
        return comparisonKey(format, checked.values[name] ?? '', 'DE');
      };
      for (const nothing of inside)
        assert.equal(
          read(`${nothing}${filter.example.slice(0, 3)}${nothing}${filter.example.slice(3)}`),
          read(filter.example),
        );
    }
  }
});

test('what a script is spelled with stays in names, and everything within texts', () => {
  const persian = 'می\u200cخواهم';
  assert.equal(formats.name?.clean?.(persian), persian);
  const [companies] = resources.filter(({ name }) => name === 'companies');
  assert.ok(companies !== undefined);
  const { values } = createInputReader(companies).patch({ description: 'Donau\u00addampf\u200bschiff' });
  assert.equal(values.description, 'Donau\u00addampf\u200bschiff');
});
