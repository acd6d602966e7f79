/** Checks of the fields of a resource, and of everything in its declaration that refers to a field. */
import type { Field, Transitions } from './fields.ts';
import { scaleOf } from './filters.ts';
import { findPlace, memberSchemas, targetOfPlace } from './places.ts';
import { type Filter, flattenFields, hasOperation, isGroup, type Resource, statusOf } from './resource.ts';

/** Members that every record has. */
const commonMembers = ['id', 'version', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy'];

/** Parameters of lists that are not filters; the last three are in addresses of the console only. */
const listParameters = [
  'ids',
  'limit',
  'cursor',
  'sort',
  'search',
  'fields',
  'perspective',
  'columns',
  'view',
  'layout',
];

/** Kinds of records that ids may refer to although they are not resources. */
const referable = ['users'];

/** What is wrong with the fields of a resource, as sentences. */
export function checkFields(resource: Resource, resources: readonly Resource[]): string[] {
  return [
    ...checkNames(resource),
    ...checkReferences(resource, resources),
    ...checkSearchable(resource),
    ...checkTitle(resource),
    ...checkSorts(resource),
    ...checkUnique(resource),
    ...checkStates(resource),
    ...Object.entries(resource.filters).flatMap(([name, filter]) => checkFilter(resource, name, filter)),
    ...checkSideTables(resource),
    ...checkVersions(resource),
    ...checkSlug(resource),
    ...checkSections(resource),
  ];
}

/** Checks that the orders with an index are those of instants. */
function checkSorts(resource: Resource): string[] {
  return (resource.sortFields ?? [])
    .filter((name) => fieldOf(resource, name)?.kind !== 'instant')
    .map((name) => `lists are sorted by "${name}", which is not an instant.`);
}

/** Checks that the form has each field once. */
function checkSections(resource: Resource): string[] {
  const { sections } = resource;
  if (sections === undefined) return [];
  const named = sections.flatMap(({ fields }) => fields);
  const writable = flattenFields(resource).flatMap(([name, { readOnly }]) => (readOnly ? [] : [name]));
  return [
    ...named
      .filter((name) => !writable.includes(name))
      .map((name) => `a section names "${name}", which is no field that can be written.`),
    ...writable
      .filter((name) => !named.includes(name))
      .map((name) => `the field "${name}" is in no section.`),
    ...named
      .filter((name, index) => named.indexOf(name) < index)
      .map((name) => `the field "${name}" is in the sections twice.`),
    ...sections
      .filter(({ title }) => title.en.trim() === '' || title.de.trim() === '')
      .map(({ fields }) => `the section with ${fields.join(', ')} has no title.`),
    ...sections
      .filter(
        ({ fields, isRare }) => isRare === true && fields.some((name) => fieldOf(resource, name)?.required),
      )
      .map(({ title }) => `the section "${title.en}" is rare, but has a required field.`),
  ];
}

function fieldOf(resource: Resource, name: string): Field | undefined {
  return flattenFields(resource).find(([field]) => field === name)?.[1];
}

function checkNames({ fields, parent, createOnly = {} }: Resource): string[] {
  const names = flattenFields({ fields }).map(([name]) => name.slice(name.lastIndexOf('.') + 1));
  const taken = [...commonMembers, ...(parent === null ? [] : [parent.parameter])];
  return [
    ...Object.keys(fields)
      .filter((name) => taken.includes(name))
      .map((name) => `the field "${name}" has the name of a member that every record has.`),
    ...names
      .filter((name, index) => names.indexOf(name) < index)
      .map((name) => `two fields are called "${name}", so filters cannot tell them apart.`),
    ...Object.keys(createOnly)
      .filter((name) => name in fields)
      .map((name) => `"${name}" is both a field and a member that only a create takes.`),
  ];
}

function checkReferences(resource: Resource, resources: readonly Resource[]): string[] {
  const parentOf = (name: string) => resources.find((other) => other.name === name)?.parent?.resource;
  const exists = (name: string) => referable.includes(name) || resources.some((other) => other.name === name);
  return flattenFields(resource).flatMap(([name, field]) => {
    const inner = Object.entries(memberSchemas(field)).flatMap(([member, schema]) => {
      const target = schema['x-reference'];
      return target === undefined || exists(target)
        ? []
        : [`"${name}.${member}" refers to the resource "${target}", which does not exist.`];
    });
    if (field.reference === null) return inner;
    const { resource: target, sameParent, among, blocksDeletion } = field.reference;
    if (!exists(target)) return [`"${name}" refers to the resource "${target}", which does not exist.`];
    const above = resource.parent?.resource;
    const list = among === null ? undefined : fieldOf(resource, among);
    return [
      ...(sameParent && (above === undefined || parentOf(target) !== above)
        ? [`"${name}" refers to ${target} below the same parent, but they do not have the same parent.`]
        : []),
      ...(among !== null && (list?.kind !== 'uuids' || list.reference?.resource !== target)
        ? [`"${name}" is one of "${among}", which is no list of references to ${target}.`]
        : []),
      // A list cannot have a foreign key: without the rows of a side table its ids might refer to nothing, which some may.
      ...(field.kind === 'uuids' &&
      blocksDeletion &&
      !referable.includes(target) &&
      !isInSideTable(resource, name)
        ? [`"${name}" is a list of references, and needs a side table.`]
        : []),
    ];
  });
}

function isInSideTable({ sideTables = {} }: Resource, name: string): boolean {
  return Object.values(sideTables).some(({ values }) => values.includes(name));
}

function checkSearchable(resource: Resource): string[] {
  const fields = flattenFields(resource);
  const searchable = fields.filter(([, field]) => field.searchable !== null);
  return [
    ...(searchable.some(([, field]) => field.searchable === 'A') || !hasOperation(resource, 'search')
      ? []
      : ['no field is searchable with the weight A, by which records are found.']),
    ...searchable.flatMap(([name, field]) => {
      const { items, properties } = field.schema as { items?: { properties?: object }; properties?: object };
      const isText = field.kind === 'text' || (field.kind === 'json' && properties === undefined);
      if (!isText) return [`"${name}" is searchable, but is not a text.`];
      const member = field.searchableMember;
      if (items?.properties !== undefined && member === null)
        return [`"${name}" is a searchable list of objects, but has no searchableMember.`];
      if (member !== null && !(member in memberSchemas(field)))
        return [`the searchableMember "${member}" is not a member of "${name}".`];
      return [];
    }),
  ];
}

function checkTitle(resource: Resource): string[] {
  const { titleField, titleFallbacks = [], languageField } = resource;
  const isText = (name: string) => fieldOf(resource, name)?.kind === 'text';
  return [
    ...[titleField, ...titleFallbacks]
      .filter((name) => !isText(name))
      .map((name) => `the title "${name}" is not a text field.`),
    ...(languageField === undefined || isText(languageField)
      ? []
      : [`the language "${languageField}" is not a text field.`]),
  ];
}

function checkUnique(resource: Resource): string[] {
  const { unique, uniqueTogether = {}, sideTables = {} } = resource;
  const together = Object.entries(uniqueTogether);
  const constraints = [
    ...Object.values(unique),
    ...together.map(([constraint]) => constraint),
    ...Object.values(sideTables).flatMap((side) => (side.unique === undefined ? [] : [side.unique])),
  ];
  return [
    ...[...Object.keys(unique), ...together.flatMap(([, names]) => names)]
      .filter((name) => fieldOf(resource, name) === undefined)
      .map((name) => `"${name}" is unique, but not a field.`),
    ...constraints
      .filter((constraint, index) => constraints.indexOf(constraint) < index)
      .map((constraint) => `the constraint "${constraint}" is named twice.`),
  ];
}

function checkStates(resource: Resource): string[] {
  const declared = flattenFields(resource).flatMap(([name, { transitions }]) =>
    transitions === null ? [] : [name],
  );
  const status = statusOf(resource);
  if (declared.length > 1) return [`there are several states: ${declared.join(', ')}.`];
  if (status === null) return [];
  const field = fieldOf(resource, status.field);
  if (field === undefined) return [`the status "${status.field}" is not a field.`];
  const known = (field.schema as { enum?: readonly string[] }).enum ?? [];
  return [
    ...checkTransitions(status.field, status.transitions, known, resource.versions === undefined),
    ...Object.entries(status.transitions.events)
      .filter(([, event]) => resource.events?.[event] === undefined)
      .map(
        ([reached, event]) =>
          `"${status.field}" announces ${reached} with the event "${event}", which is not declared.`,
      ),
  ];
}

/** @param whole whether a transition that a caller can request must lead to every status */
function checkTransitions(
  field: string,
  { initial, allowed, published, events }: Transitions,
  known: readonly string[],
  whole: boolean,
): string[] {
  const targets = Object.values(allowed).flat();
  const isKnown = (status: string) => known.includes(status);
  if (initial.length === 0) return [`"${field}" has no initial status.`];
  return [
    ...[...new Set([...initial, ...Object.keys(allowed), ...targets, ...published, ...Object.keys(events)])]
      .filter((status) => !isKnown(status))
      .map((status) => `the transitions of "${field}" name the unknown status ${status}.`),
    ...known
      .filter((status) => allowed[status] === undefined)
      .map((status) => `"${field}" does not say which statuses may follow ${status}.`),
    ...known
      .filter((status) => whole && !initial.includes(status) && !targets.includes(status))
      .map((status) => `no transition of "${field}" leads to ${status}.`),
  ];
}

/** Kinds of columns that each kind of filter compares with. */
const comparable: Readonly<Record<Exclude<Filter['kind'], 'via' | 'bound'>, readonly string[]>> = {
  choice: ['text'],
  text: ['text'],
  boolean: ['boolean'],
  contains: ['text'],
  exists: ['text', 'texts', 'integer', 'instant', 'uuid', 'uuids', 'json'],
  integer: ['integer'],
  reference: ['uuid', 'uuids'],
};

function checkFilter(resource: Resource, name: string, filter: Filter): string[] {
  if (listParameters.includes(name))
    return [`the filter "${name}" has the name of another parameter of lists.`];
  if (filter.kind === 'via') {
    return filter.table in (resource.sideTables ?? {})
      ? []
      : [`the filter "${name}" reads "${filter.table}", which is not a side table.`];
  }
  if (filter.kind === 'bound') {
    return filter.bound !== undefined && scaleOf(resource, filter.field) !== null
      ? []
      : [`the filter "${name}" needs a bound, and a field that has an order; "${filter.field}" has none.`];
  }
  const field = fieldOf(resource, filter.field);
  if (field === undefined)
    return [`the filter "${name}" compares with "${filter.field}", which is not a field.`];
  if (!comparable[filter.kind].includes(field.kind))
    return [`the filter "${name}" of the kind ${filter.kind} cannot compare with "${filter.field}".`];
  if (filter.kind === 'reference' && field.kind === 'uuids' && !isInSideTable(resource, filter.field))
    return [`the filter "${name}" needs a side table with the ids of "${filter.field}".`];
  const known = (field.schema as { enum?: readonly string[] }).enum;
  const absent = (filter.values ?? []).find((value) => known?.includes(value) !== true);
  if (absent !== undefined)
    return [`the filter "${name}" offers ${absent}, which is not a value of "${filter.field}".`];
  return filter.kind === 'choice' && (filter.values ?? []).length === 0
    ? [`the filter "${name}" offers no values.`]
    : [];
}

function checkSideTables(resource: Resource): string[] {
  return Object.entries(resource.sideTables ?? {}).flatMap(([table, { values, unique, onDelete }]) => {
    const places = values.map((path) => findPlace(resource, path));
    const absent = values.find((_path, index) => places[index] === null);
    if (values.length === 0) return [`the side table "${table}" has no values.`];
    if (absent !== undefined)
      return [`the side table "${table}" has values of "${absent}", which is not a field.`];
    const targets = new Set(places.map((place) => (place === null ? null : targetOfPlace(place))));
    return [
      ...(targets.size > 1 ? [`the side table "${table}" holds ids of different kinds.`] : []),
      ...(onDelete !== undefined && targets.has(null)
        ? [`the side table "${table}" says what deleting a record does, but holds no ids.`]
        : []),
      ...(unique === '' ? [`the side table "${table}" has no name for its constraint.`] : []),
    ];
  });
}

function checkVersions({ versions, fields }: Resource): string[] {
  if (versions === undefined) return [];
  const { group, status } = versions;
  const member = fields[group];
  if (member === undefined || !isGroup(member))
    return [`the versions have the fields of "${group}", which is not a group.`];
  return status.field.startsWith(`${group}.`)
    ? []
    : [`the status "${status.field}" is not a field of the versions.`];
}

function checkSlug(resource: Resource): string[] {
  if (resource.slug === undefined) return [];
  const { field, from } = resource.slug;
  const { format, maxLength } = (fieldOf(resource, field)?.schema ?? {}) as {
    format?: string;
    maxLength?: number;
  };
  return [
    ...(format === 'slug' && maxLength !== undefined
      ? []
      : [`the slug "${field}" is not a text field of the format "slug".`]),
    ...(fieldOf(resource, from)?.kind === 'text'
      ? []
      : [`the slug is made from "${from}", which is not a text field.`]),
  ];
}
