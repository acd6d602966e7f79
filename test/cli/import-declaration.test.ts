/** The import section of resource declarations: what the importer derives from it, and faults that are refused at start. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRecord } from '@trellis/importer/build-record.ts';
import { noChoices } from '@trellis/importer/columns.ts';
import { deriveRowKey, uniqueValues } from '@trellis/importer/identity.ts';
import { Mapping } from '@trellis/importer/mapping.ts';
import { resourcesInOrder } from '@trellis/importer/order.ts';
import { checkDeclarations } from '@trellis/schema/resources/check-declarations.ts';
import { integer, nullable, reference, states, strings, text } from '@trellis/schema/resources/fields.ts';
import { contentGrants } from '@trellis/schema/resources/grants.ts';
import type { ImportDeclaration } from '@trellis/schema/resources/import.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { defineResource } from '@trellis/schema/resources/resource.ts';
import { services } from '@trellis/schema/resources/services.ts';

const declare = (declaration?: ImportDeclaration) =>
  defineResource({
    name: 'journeys',
    singular: 'journey',
    title: { singular: 'Journey', plural: 'Journeys' },
    description: 'A journey.',
    module: null,
    idPrefix: 'jou',
    path: '/sites/{siteId}/journeys',
    scope: 'sites',
    grants: contentGrants,
    parent: { resource: 'sites', parameter: 'siteId', column: 'site_id' },
    table: 'journeys',
    fields: {
      destination: text({
        max: 100,
        required: true,
        searchable: 'A',
        description: 'Where to.',
        example: 'Rome',
      }),
      days: nullable(integer({ min: 1, max: 90, description: 'How long.', example: 3 })),
      stops: strings({ max: 5, item: { max: 50 }, description: 'Stops.', example: ['Milan'] }),
      bookId: nullable(reference('books', { description: 'A guide.', example: 'book_…' })),
      status: states(['PLANNED', 'OVER'], {
        initial: ['PLANNED'],
        allowed: { PLANNED: ['OVER'], OVER: [] },
        description: 'How far it is.',
        example: 'PLANNED',
      }),
    },
    titleField: 'destination',
    unique: { destination: 'journeys_destination' },
    filters: {},
    searchSources: ['journeys'],
    searchCursor: true,
    ...(declaration === undefined ? {} : { import: declaration }),
  });

const columnOptions = {
  rules: new Map<string, string | null>(),
  isPosts: false,
  columns: null,
  wrappers: [],
};

test('a resource without an import section is imported by the names of its fields', () => {
  const journeys = declare();
  const mapping = new Mapping(journeys, columnOptions, noChoices);
  const fields = new Map([
    ['Destination', ' Rome '],
    ['DAYS', '3.0'],
    ['stops', 'Milan; Pisa'],
    ['book_id', 'guide-1'],
    ['mood', 'good'],
  ]);
  const built = buildRecord(journeys, mapping.map({ fields }, false), false);
  assert.deepEqual(Object.fromEntries(built.values), {
    destination: 'Rome',
    days: 3,
    stops: ['Milan', 'Pisa'],
    bookId: 'guide-1',
  });
  assert.deepEqual(built.repairs, ['whole numbers written with ".0"']);
  assert.deepEqual(
    mapping.list().filter(({ to }) => to === null),
    [{ column: 'mood', to: null, meaning: '', rows: 1, samples: ['good'] }],
  );
  const body = { destination: 'Rome' };
  const reordered = new Map([...fields].reverse());
  assert.equal(deriveRowKey(journeys, 'site_1', fields), deriveRowKey(journeys, 'site_1', reordered));
  assert.notEqual(deriveRowKey(journeys, 'site_1', fields), deriveRowKey(journeys, 'site_2', fields));
  assert.notEqual(
    deriveRowKey(journeys, 'site_1', fields),
    deriveRowKey(journeys, 'site_1', new Map([...fields, ['mood', 'bad']])),
  );
  assert.deepEqual(uniqueValues(journeys, 'site_1', body), ['destination "Rome" in site_1']);
});

test('of several columns for one field, the best one with a value is used, and the others are not imported', () => {
  const journeys = declare({
    columns: [{ to: 'destination', names: ['to', 'goal'], fallbacks: { '(place)': 'taken from the place' } }],
  });
  const mapping = new Mapping(journeys, columnOptions, noChoices);
  const read = (cells: Record<string, unknown>) => {
    const mapped = mapping.map({ fields: new Map(Object.entries(cells)) }, false);
    return [mapped.values.get('destination'), mapped.repairs];
  };
  assert.deepEqual(read({ goal: 'Rome', to: 'Oslo', '(place)': 'Bonn' }), ['Oslo', []]);
  assert.deepEqual(read({ goal: 'Rome', to: '', '(place)': 'Bonn' }), ['Rome', []]);
  assert.deepEqual(read({ to: null, '(place)': 'Bonn' }), ['Bonn', ['taken from the place']]);
  const uses = mapping.list().map(({ column, to, rows }) => `${column} ${to} ${rows}`);
  assert.deepEqual(uses.sort(), [
    '(place) destination 1',
    'goal destination 1',
    'goal null 1',
    'to destination 1',
  ]);
});

test('an invalid import section is refused with its fault', () => {
  const cases: [ImportDeclaration, RegExp][] = [
    [
      { columns: [{ to: 'goal', names: [] }] },
      /journeys: the import section is wrong: there is no field "goal"/,
    ],
    [{ identity: [['destination', 'day']] }, /no field "day"/],
    [{ unique: { place: 'place' } }, /no field "place"/],
    [{ lists: { stops: { main: 'name' } } }, /no field "stops.name"/],
    [{ lookups: { guide: { resource: 'guides', field: 'bookId' } } }, /no resource "guides"/],
    [{ lookups: { guide: { resource: 'books', field: 'guideId' } } }, /no field "guideId"/],
    [{ knownBy: ['place'] }, /no filter "place"/],
    [
      {
        columns: [
          { to: 'days', names: ['length'] },
          { to: 'stops', names: ['length'] },
        ],
      },
      /two columns are called "length"/,
    ],
  ];
  for (const [declaration, message] of cases) {
    assert.throws(() => checkDeclarations([...resources, declare(declaration)], services), message);
  }
  const right = declare({ columns: [{ to: 'days', names: ['length'] }] });
  checkDeclarations([...resources, right], services);
});

test('each resource comes after its parent and what it refers to', () => {
  const names = resourcesInOrder.map(({ name }) => name);
  assert.deepEqual(
    [...names].sort(),
    resources.flatMap(({ name, portable }) => (portable === false ? [] : [name])).sort(),
  );
  for (const [earlier, later] of [
    ['sites', 'categories'],
    ['tags', 'articles'],
    ['knowledge-files', 'books'],
    ['articles', 'issues'],
    ['magazines', 'issues'],
    ['companies', 'contacts'],
  ] as const) {
    assert.ok(names.indexOf(earlier) < names.indexOf(later), `${earlier} before ${later}`);
  }
});
