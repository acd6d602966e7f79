/** Checks of resource declarations at start: each missing or contradictory part is refused with a sentence about it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkDeclarations,
  checkOwnOperations,
  checkRegistered,
} from '@trellis/schema/resources/check-declarations.ts';
import {
  integer,
  list,
  nullable,
  reference,
  references,
  type Transitions,
  text,
} from '@trellis/schema/resources/fields.ts';
import { contentGrants } from '@trellis/schema/resources/grants.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { services } from '@trellis/schema/resources/services.ts';
import { Type } from 'typebox';
import { exhibitions } from './exhibitions/exhibitions.ts';

// Schemas of list items.
const titled = Type.Object({ title: Type.String() });
const work = Type.Object({ title: Type.String(), artistId: Type.String({ 'x-reference': 'artists' }) });
const described = { description: 'Something.', example: 'x' };
const { OWNER, ADMIN, EDITOR, AUTHOR, VIEWER } = contentGrants;
// Most changes below are made without their German names.
const { german, ...declared } = exhibitions;
const { venue: _venue, ...withoutVenue } = german.fields;
const { fields, filters, parent } = declared;
const { status } = fields;

/** The faults of the declaration with these changes, as in the error. */
function faultsOf(changes: Partial<Resource>): string[] {
  try {
    checkDeclarations([...resources, { ...declared, ...changes }], services);
    return [];
  } catch (error) {
    assert.ok(error instanceof Error);
    return error.message.split('\n').slice(1);
  }
}

/** Changes of a declaration: more fields, or other ones. */
const withFields = (more: Resource['fields']): Partial<Resource> => ({ fields: { ...fields, ...more } });

const withStates = (transitions: Partial<Transitions>) =>
  withFields({ status: { ...status, transitions: { ...status.transitions, ...transitions } } });

const withFilter = (filter: Resource['filters'][string]): Partial<Resource> => ({
  filters: { ...filters, sample: filter },
});

const withSideTable = (side: NonNullable<Resource['sideTables']>[string]): Partial<Resource> => ({
  sideTables: { exhibition_samples: side },
});

test('the declarations of the product and that of the test are valid', () => {
  assert.deepEqual(faultsOf({ german }), []);
});

/** A section of a form with these fields. */
const section = (...names: readonly string[]) => ({ title: { en: 'Show', de: 'Schau' }, fields: names });
const lending = { path: 'lend', summary: 'Lend', description: 'Lends it.', right: 'update' } as const;
const writable = flattenFields(exhibitions).flatMap(([name, { readOnly }]) => (readOnly ? [] : [name]));

test('long forms have sections, of which the first is open', () => {
  // Articles have an editor of their own.
  const long = resources.filter(
    (resource) =>
      resource.versions === undefined && flattenFields(resource).filter(([, f]) => !f.readOnly).length > 12,
  );
  assert.deepEqual(
    long.filter(({ sections = [] }) => sections[0] === undefined || sections[0].isRare === true),
    [],
  );
  assert.ok(long.length >= 5, `${long.length} long forms`);
  assert.deepEqual(faultsOf({ german, sections: [section(...writable)] }), []);
});

const cases: readonly [what: string, changes: Partial<Resource>, fault: string][] = [
  [
    'a duplicate name',
    { name: 'books', searchSources: ['books'], scope: 'books' },
    'the name "books" is already used by books',
  ],
  [
    'a section with a field that does not exist',
    { sections: [section(...writable, 'titel')] },
    'a section names "titel", which is no field that can be written',
  ],
  [
    'a field in no section',
    { sections: [section(...writable.slice(1))] },
    `the field "${writable[0]}" is in no section`,
  ],
  [
    'a field in two sections',
    { sections: [section(...writable), section('status')] },
    'the field "status" is in the sections twice',
  ],
  [
    'a section without a title',
    { sections: [{ ...section(...writable), title: { en: 'Show', de: ' ' } }] },
    `the section with ${writable.join(', ')} has no title`,
  ],
  [
    'a required field in a rare section',
    { sections: [{ ...section(...writable), isRare: true }] },
    'the section "Show" is rare, but has a required field',
  ],
  ['a duplicate singular', { singular: 'book' }, 'the singular "book" is already used by books'],
  [
    'a duplicate title',
    { title: { singular: 'Book', plural: 'Exhibitions' } },
    'the title "Book" is already used by books',
  ],
  ['a duplicate prefix', { idPrefix: 'book' }, 'the idPrefix "book" is already used by books'],
  ['the prefix of sessions', { idPrefix: 'ses' }, 'the idPrefix "ses" belongs to ids of another kind'],
  [
    'a duplicate path',
    { path: '/sites/{siteId}/tags' },
    'the path "/sites/{siteId}/tags" is already used by tags',
  ],
  ['a duplicate table', { table: 'books' }, 'the table "books" is already used by books'],
  ['no label', { label: '' }, 'the label is missing'],
  ['no title', { title: { singular: '', plural: 'Exhibitions' } }, 'the singular title is missing'],
  ['no description', { description: '' }, 'the description is missing'],
  [
    'no German name of a field',
    { german: { ...german, fields: withoutVenue } },
    'the German name of "venue" is missing',
  ],
  [
    'no German name of a value',
    { german: { ...german, values: { OPENED: 'Eröffnet' } } },
    'the German name of "CLOSED" is missing',
  ],
  [
    'no German name of an event',
    { german: { ...german, values: { CLOSED: 'Geschlossen' } } },
    'the German name of "OPENED" is missing',
  ],
  [
    'a description that is not a sentence',
    { description: 'Works' },
    'the description "Works" must match \\S.*\\.$',
  ],
  [
    'a singular that is the plural',
    { singular: 'exhibitions' },
    'the name and the singular are both "exhibitions"',
  ],
  [
    'a role without grants',
    { grants: { OWNER, ADMIN, EDITOR, VIEWER } as Resource['grants'] },
    'the grants do not say what the role AUTHOR may do',
  ],
  [
    'an action that no role has',
    { grants: withoutAction('delete') },
    'no role is granted the action "delete"',
  ],
  [
    'an action that returns an undeclared secret',
    {
      actions: { lendExhibition: { ...lending, returns: 'secret' } },
    },
    'the action "lendExhibition" returns a secret, but none is declared',
  ],
  [
    'an action on a part that its path does not name',
    { actions: { lendExhibition: { ...lending, part: { parameter: 'number', description: 'Number.' } } } },
    'the action "lendExhibition" has the path "lend", whose parameters are not those of its part',
  ],
  [
    'an action that presents an input which it does not have',
    {
      actions: {
        lendExhibition: {
          ...lending,
          input: {
            schemaName: 'Loan',
            fields: {},
            presentation: { days: { label: { en: 'Days', de: 'Tage' } } },
          },
        },
      },
    },
    'the action "lendExhibition" presents the input "days", which it does not have',
  ],
  [
    'an action that is offered by an unknown field',
    { actions: { lendExhibition: { ...lending, offered: { lentAt: 'absent' } } } },
    'the action "lendExhibition" is offered by the field "lentAt", which does not exist',
  ],
  [
    'publishing that no role has',
    { grants: withoutAction('publish') },
    'no role is granted the action "publish"',
  ],
  [
    'a role that changes what it cannot read',
    { grants: { ...contentGrants, AUTHOR: { create: 'all' } } },
    'the role AUTHOR may change records but not read them',
  ],
  [
    'an event of every resource',
    { events: { ...exhibitions.events, created: 'It was made.' } },
    'the event "created" is one that every resource has',
  ],
  [
    'an event with an invalid type',
    { events: { ...exhibitions.events, Moved: 'It was moved.' } },
    'the event "Moved" must be of lower-case letters and underscores',
  ],
  [
    'an event without a meaning',
    { events: { opened: '' } },
    'the event "opened" has no sentence that describes it',
  ],
  [
    'a status event without a type',
    { events: {} },
    '"status" announces OPEN with the event "opened", which is not declared',
  ],
  [
    'an event of a service',
    { singular: 'visitor', events: { ...exhibitions.events, erased: 'It is gone.' } },
    'the event "visitor.erased" is declared twice',
  ],
  [
    'an unknown scope',
    { scope: 'shows' },
    'the scope "shows" is unknown: it must be the name of a resource, alone or after its module and a dot',
  ],
  [
    'the scope of a service',
    { scope: 'events:read' },
    'the scope "events:read" is already used by a service',
  ],
  [
    'a publish scope in addition to a scope for everything',
    { scope: 'shows:manage', publishScope: 'Open exhibitions.' },
    'there is a publishScope, but the scope "shows:manage" opens everything',
  ],
  [
    'a path that is not below the parent',
    { path: '/exhibitions' },
    'the path "/exhibitions" must begin with "/sites/{siteId}/", the path of its parent',
  ],
  [
    'a parent that does not exist',
    { parent: { ...parent, resource: 'museums' } },
    'the parent "museums" does not exist',
  ],
  [
    'a parent that has a parent',
    {
      parent: { resource: 'tags', parameter: 'tagId', column: 'tag_id' },
      path: '/sites/{siteId}/tags/{tagId}/exhibitions',
    },
    'the parent "tags" has a parent itself, which is not supported',
  ],
  [
    'a path with a parameter but no parent',
    { parent: null },
    'the path "/sites/{siteId}/exhibitions" must be of lower-case words, without parameters unless there is a parent',
  ],
  [
    "a parent's column",
    { parent: { ...parent, column: 'site' } },
    'the parent\'s column "site" must end in "_id"',
  ],
  [
    'a field named like a common member',
    withFields({ version: nullable(text({ max: 9, ...described })) }),
    'the field "version" has the name of a member that every record has',
  ],
  [
    'a member of creates that is a field',
    { createOnly: { venue: text({ max: 9, ...described }) } },
    '"venue" is both a field and a member that only a create takes',
  ],
  [
    'a reference to nothing',
    withFields({ coverFileId: nullable(reference('pictures', described)) }),
    '"coverFileId" refers to the resource "pictures", which does not exist',
  ],
  [
    'a reference below another parent',
    withFields({ bookId: nullable(reference('books', { ...described, sameParent: true })) }),
    '"bookId" refers to books below the same parent, but they do not have the same parent',
  ],
  [
    'an id that must be in a list that does not exist',
    withFields({ tagId: nullable(reference('tags', { ...described, among: 'tagIds' })) }),
    '"tagId" is one of "tagIds", which is no list of references to tags',
  ],
  [
    'a list of references without a side table',
    withFields({ bookIds: references('books', { ...described, max: 3 }) }),
    '"bookIds" is a list of references, and needs a side table',
  ],
  [
    'no searchable field of weight A',
    withFields({ title: { ...fields.title, searchable: 'B' } }),
    'no field is searchable with the weight A, by which records are found',
  ],
  [
    'a searchable number',
    withFields({ year: nullable(integer({ min: 1, max: 9, searchable: 'C', ...described })) }),
    '"year" is searchable, but is not a text',
  ],
  [
    'a searchable list of objects without a member',
    withFields({ works: list(titled, { max: 3, searchable: 'C', ...described }) }),
    '"works" is a searchable list of objects, but has no searchableMember',
  ],
  [
    'a searchableMember that does not exist',
    withFields({ works: list(titled, { max: 3, searchable: 'C', searchableMember: 'name', ...described }) }),
    'the searchableMember "name" is not a member of "works"',
  ],
  [
    'a reference to nothing in a list',
    withFields({ works: list(work, { max: 3, ...described }) }),
    '"works.artistId" refers to the resource "artists", which does not exist',
  ],
  [
    'a title that is not a text',
    { titleField: 'coverFileId' },
    'the title "coverFileId" is not a text field',
  ],
  [
    'a language that is not a field',
    { languageField: 'language' },
    'the language "language" is not a text field',
  ],
  [
    'a unique value that is not a field',
    { unique: { number: 'exhibitions_number' } },
    '"number" is unique, but not a field',
  ],
  [
    'records matched by a value that is not unique',
    { matching: ['status'] },
    'matching names "status", which is no filter by a unique value',
  ],
  [
    'a duplicate constraint',
    { uniqueTogether: { exhibitions_catalogue_number: ['title', 'venue'] } },
    'the constraint "exhibitions_catalogue_number" is named twice',
  ],
  ['no initial status', withStates({ initial: [] }), '"status" has no initial status'],
  [
    'a transition to an unknown status',
    withStates({ allowed: { PLANNED: ['OPEN', 'SHUT'], OPEN: ['CLOSED'], CLOSED: [] } }),
    'the transitions of "status" name the unknown status SHUT',
  ],
  [
    'a status without transitions',
    withStates({ allowed: { PLANNED: ['OPEN'], OPEN: ['CLOSED'] } }),
    '"status" does not say which statuses may follow CLOSED',
  ],
  [
    'an unreachable status',
    withStates({ allowed: { PLANNED: ['OPEN'], OPEN: [], CLOSED: [] } }),
    'no transition of "status" leads to CLOSED',
  ],
  ['two states', withFields({ phase: { ...status } }), 'there are several states: status, phase'],
  [
    'a filter named like a parameter',
    { filters: { ...filters, limit: filters.status } },
    'the filter "limit" has the name of another parameter of lists',
  ],
  [
    'a filter of an unknown field',
    withFilter({ kind: 'text', field: 'curator', ...described }),
    'the filter "sample" compares with "curator", which is not a field',
  ],
  [
    'a filter of another kind',
    withFilter({ kind: 'boolean', field: 'title', ...described }),
    'the filter "sample" of the kind boolean cannot compare with "title"',
  ],
  [
    'a filter of an unknown side table',
    withFilter({ kind: 'via', table: 'exhibition_tags', ...described }),
    'the filter "sample" reads "exhibition_tags", which is not a side table',
  ],
  [
    'a filter with values that do not exist',
    withFilter({ kind: 'choice', field: 'status', values: ['SHUT'], ...described }),
    'the filter "sample" offers SHUT, which is not a value of "status"',
  ],
  [
    'a filter by a list of ids without a side table',
    {
      ...withFields({ curatorIds: references('users', { ...described, max: 3 }) }),
      ...withFilter({ kind: 'reference', field: 'curatorIds', ...described }),
    },
    'the filter "sample" needs a side table with the ids of "curatorIds"',
  ],
  [
    'a filter without values',
    withFilter({ kind: 'choice', field: 'status', values: [], ...described }),
    'the filter "sample" offers no values',
  ],
  [
    'a side table of an unknown field',
    withSideTable({ column: 'label', values: ['labels'] }),
    'the side table "exhibition_samples" has values of "labels", which is not a field',
  ],
  [
    'a side table without values',
    withSideTable({ column: 'label', values: [] }),
    'the side table "exhibition_samples" has no values',
  ],
  [
    'a side table of two kinds',
    withSideTable({ column: 'value', values: ['title', 'coverFileId'] }),
    'the side table "exhibition_samples" holds ids of different kinds',
  ],
  [
    'a side table of texts with a rule for deletions',
    withSideTable({ column: 'title', values: ['title'], onDelete: 'remove' }),
    'the side table "exhibition_samples" says what deleting a record does, but holds no ids',
  ],
  [
    'versions of something other than a group',
    {
      versions: {
        table: 'exhibition_versions',
        group: 'versionData',
        status: { field: 'status', transitions: status.transitions },
      },
    },
    'the versions have the fields of "versionData", which is not a group',
  ],
  [
    'a slug that is not a field',
    { slug: { field: 'slug', from: 'title' } },
    'the slug "slug" is not a text field of the format "slug"',
  ],
  [
    'a slug made from an unknown field',
    {
      ...withFields({ slug: text({ max: 50, format: 'slug', ...described }) }),
      slug: { field: 'slug', from: 'name' },
    },
    'the slug is made from "name", which is not a text field',
  ],
  [
    'a search without records of its own',
    { searchSources: ['books'] },
    'the first search source must be the resource itself',
  ],
  [
    'a search of an unknown source',
    { searchSources: ['exhibitions', 'works'] },
    'the search source "works" does not exist',
  ],
  [
    'a duplicate operation of its own',
    { ownOperations: ['open', 'open'] },
    'the own operation "open" is declared twice',
  ],
  [
    'an import of no field',
    { import: { identity: [['name']] } },
    'the import section is wrong: there is no field "name"',
  ],
];

/** Grants in which no role has an action. */
function withoutAction(action: string): Resource['grants'] {
  const without = (grants: object) =>
    Object.fromEntries(Object.entries(grants).filter(([granted]) => granted !== action));
  return {
    OWNER: without(OWNER),
    ADMIN: without(ADMIN),
    EDITOR: without(EDITOR),
    AUTHOR: without(AUTHOR),
    VIEWER: without(VIEWER),
  };
}

for (const [what, changes, fault] of cases) {
  test(`refused: ${what}`, () => {
    const name = changes.name ?? 'exhibitions';
    assert.deepEqual(faultsOf(changes), [`${name}: ${fault}.`]);
  });
}

test('missing and undeclared operations of its own are refused', () => {
  const { name } = exhibitions;
  checkOwnOperations({ name, ownOperations: ['create', 'open'] }, ['create', 'open']);
  checkOwnOperations({ name }, []);
  const lending = { path: 'lend', summary: 'Lend', description: 'Lends it.', right: 'update' } as const;
  checkOwnOperations({ name, actions: { lendExhibition: lending } }, ['lendExhibition']);
  assert.throws(
    () => checkOwnOperations({ name, actions: { lendExhibition: lending } }, []),
    new Error('exhibitions: the own operation "lendExhibition" is declared, but there is no code for it.'),
  );
  assert.throws(
    () => checkOwnOperations({ name, ownOperations: ['create', 'open'] }, ['create']),
    new Error('exhibitions: the own operation "open" is declared, but there is no code for it.'),
  );
  assert.throws(
    () => checkOwnOperations({ name }, ['create']),
    new Error('exhibitions: the operation "create" is replaced, but not declared in ownOperations.'),
  );
  assert.throws(
    () => checkOwnOperations({ name }, ['open']),
    new Error('exhibitions: the operation "open" is added, but not declared in ownOperations.'),
  );
});

test('code for a resource that does not exist is refused', () => {
  checkRegistered('models.ts', ['books'], resources);
  assert.throws(
    () => checkRegistered('models.ts', ['books', 'exhibitions'], resources),
    new Error('models.ts names the resource "exhibitions", which does not exist.'),
  );
});
