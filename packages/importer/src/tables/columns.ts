/**
 * The columns of a table for people: one for each value, with a heading in their language. Exports write them, and imports recognize them,
 * so that such a table comes back as it was.
 */
import { describeField } from '@trellis/schema/resources/english.ts';
import type { Field } from '@trellis/schema/resources/fields.ts';
import { sharedGermanNames } from '@trellis/schema/resources/german.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { unwrap } from '@trellis/schema/validation/faults.ts';
import { idInput, importOf, isListOfObjects, listImportOf } from '../destinations.ts';

/** The languages of tables. */
export const tableLanguages = ['en', 'de'] as const;
export type TableLanguage = (typeof tableLanguages)[number];

/** A column of a table for people. */
export interface TableColumn {
  readonly heading: string;
  /** Dotted name of the field, or a member of every record. */
  readonly field: string;
  /** The member of an object or of the items of a list; null for the whole value. */
  readonly member: string | null;
  /** Of a list of objects: the number of the item, from 1; otherwise null. */
  readonly number: number | null;
  /** Of the value. */
  readonly schema: JsonSchema;
  /** Name of the resource whose ids the value is; null for other values. */
  readonly reference: string | null;
  /** The destination in an import; null for what the API derives. */
  readonly to: string | null;
}

/** The heading of the column of ids, in all languages. */
export const idHeading = describeField(idInput);

const instant: JsonSchema = { type: 'string', format: 'date-time' };

const known = new Map<string, readonly TableColumn[]>();

/**
 * All columns that tables of a resource can have, in the order of its fields; of lists, those of as many items as there may be. The ids are
 * last.
 */
export function listTableColumns(resource: Resource, language: TableLanguage): readonly TableColumn[] {
  const key = `${resource.name} ${language}`;
  const listed = known.get(key) ?? distinguish(makeColumns(resource, language));
  known.set(key, listed);
  return listed;
}

const byHeading = new WeakMap<Resource, ReadonlyMap<string, TableColumn>>();

/** The column with a heading in any language; null for other headings. */
export function findTableColumn(resource: Resource, heading: string): TableColumn | null {
  const all =
    byHeading.get(resource) ??
    new Map(
      tableLanguages
        .flatMap((language) => listTableColumns(resource, language))
        .map((column) => [column.heading, column]),
    );
  byHeading.set(resource, all);
  return all.get(heading) ?? null;
}

function makeColumns(resource: Resource, language: TableLanguage): readonly TableColumn[] {
  const whole = (field: string, schema: JsonSchema, to: string | null): TableColumn => ({
    heading: nameField(resource, language, field),
    field,
    member: null,
    number: null,
    schema,
    reference: null,
    to,
  });
  return [
    ...flattenFields(resource).flatMap(([name, field]) => columnsOf(resource, language, name, field)),
    whole('createdAt', instant, null),
    whole('updatedAt', instant, null),
    whole(idInput, { type: 'string' }, idInput),
  ];
}

function columnsOf(
  resource: Resource,
  language: TableLanguage,
  field: string,
  declared: Field,
): readonly TableColumn[] {
  const schema = declared.schema as JsonSchema;
  const heading = nameField(resource, language, field);
  const to = declared.readOnly ? null : field;
  const { properties } = schema.items ?? schema;
  if (properties === undefined) {
    const reference = declared.reference?.resource ?? null;
    return [{ heading, field, member: null, number: null, schema, reference, to }];
  }
  const main = mainMember(resource, field);
  // What the API derives of an item says the same as the item. The item begins with what it is about.
  const members = Object.entries(properties)
    .filter(([, given]) => given.readOnly !== true)
    .sort(([left], [right]) => Number(right === main) - Number(left === main))
    .map(([member, given]) => ({
      member,
      schema: unwrap(given) ?? given,
      reference: typeof given['x-reference'] === 'string' ? given['x-reference'] : null,
      to: declared.readOnly ? null : inputFor(resource, `${field}.${member}`),
      word: nameField(resource, language, member),
    }));
  const inside = (word: string) => (language === 'en' ? lowerFirst(word) : word);
  if (!isListOfObjects(declared)) {
    return members.map(({ word, ...rest }) => ({
      ...rest,
      heading: `${heading} ${inside(word)}`,
      field,
      number: null,
    }));
  }
  const { required = [] } = schema.items ?? {};
  const item = declared.itemName?.[language] ?? heading;
  return Array.from({ length: Number(schema.maxItems ?? 0) }, (_, index) => index + 1).flatMap((number) =>
    members.map(({ word, ...rest }) => {
      const isMain = rest.member === main && required.includes(main);
      const name = isMain ? `${item} ${number}` : `${item} ${number} ${inside(word)}`;
      return { ...rest, heading: name, field, number };
    }),
  );
}

/** The member that an item is about: that of plain texts, or the one in which the id of the record that they name is stored. */
function mainMember(resource: Resource, field: string): string | undefined {
  const { main } = listImportOf(resource, field) ?? {};
  const stored = importOf(resource).lookups?.[`${field}.${main}`]?.field;
  return stored === undefined ? main : stored.slice(field.length + 1);
}

/** The input that finds records by their names where there is one, or else the destination itself. */
function inputFor(resource: Resource, destination: string): string {
  const lookups = Object.entries(importOf(resource).lookups ?? {});
  return lookups.find(([, { field }]) => field === destination)?.[0] ?? destination;
}

function nameField(resource: Resource, language: TableLanguage, name: string): string {
  const last = name.slice(name.lastIndexOf('.') + 1);
  const german: Readonly<Record<string, string>> = {
    ...sharedGermanNames.fields,
    ...resource.german?.fields,
  };
  return (language === 'de' ? german[last] : undefined) ?? describeField(name);
}

/** In English, words within a heading begin with a small letter, unless they are abbreviations. */
function lowerFirst(word: string): string {
  return /^\p{Lu}(?![\p{Lu}\p{N}.])/u.test(word) ? word.charAt(0).toLowerCase() + word.slice(1) : word;
}

/** Of columns with equal headings, the later ones have the names of their fields. */
function distinguish(columns: readonly TableColumn[]): readonly TableColumn[] {
  const used = new Set<string>();
  return columns.map((column) => {
    const { field, member, number } = column;
    const path = [field, number, member].filter((part) => part !== null).join('.');
    const heading = used.has(column.heading) ? path : column.heading;
    used.add(heading);
    return { ...column, heading };
  });
}
