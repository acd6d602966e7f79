/** Check of the German names of a declaration, made at start: those that are given must be complete. */
import { sharedGermanNames } from './german.ts';
import { flattenFields, type Resource } from './resource.ts';

/** Names that the German ones of a declaration lack. */
export function findMissingGermanNames(resource: Resource): string[] {
  const { german, createOnly = {}, events = {}, filters, actions = {} } = resource;
  if (german === undefined) return [];
  const fields = [...flattenFields(resource), ...Object.entries(createOnly)].map(([name, { schema }]) => ({
    name: name.slice(name.lastIndexOf('.') + 1),
    ...namesIn(schema),
  }));
  const members = [
    ...Object.keys(resource.fields),
    ...Object.keys(filters),
    ...fields.flatMap(({ name, members }) => [name, ...members]),
    ...Object.values(actions).flatMap(({ input: { fields: inputs = {}, presentation = {} } = {} }) =>
      Object.keys(inputs).filter((name) => presentation[name] === undefined),
    ),
  ];
  const values = [
    ...fields.flatMap(({ values }) => values),
    ...Object.values(filters).flatMap((filter) => ('values' in filter ? (filter.values ?? []) : [])),
    ...Object.keys(events).map((event) => event.toUpperCase()),
  ];
  const known = { ...sharedGermanNames.fields, ...german.fields };
  const knownValues = { ...sharedGermanNames.values, ...german.values };
  const missing = [
    ...members.filter((name) => !Object.hasOwn(known, name)),
    ...values.filter((value) => !Object.hasOwn(knownValues, value)),
    ...(resource.publishScope !== undefined && german.publishScope === undefined ? ['publishScope'] : []),
  ];
  return [...new Set(missing)];
}

interface Schema {
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** The names of members and the fixed values in a schema. */
function namesIn({ properties = {}, items, anyOf = [], enum: values = [] }: Schema): {
  readonly members: readonly string[];
  readonly values: readonly string[];
} {
  const inner = [...Object.values(properties), ...anyOf, ...(items === undefined ? [] : [items])].map(
    namesIn,
  );
  return {
    members: [...Object.keys(properties), ...inner.flatMap(({ members }) => members)],
    values: [...values.map(String), ...inner.flatMap((one) => one.values)],
  };
}
