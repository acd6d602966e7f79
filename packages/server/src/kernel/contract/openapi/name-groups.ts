/**
 * Gives the objects inside records and bodies components of their own. Code generators name types by components; what has none becomes
 * `ContactAddressesItem` in one, an anonymous type in another, and a different type in each record that has it.
 */
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { capitalize } from '@trellis/schema/values/text.ts';
import { reference, type Schemas } from '../../http/schemas.ts';

/** The names of objects that several schemas have, or that are not called like their member. */
const names: Readonly<Record<string, string>> = {
  addresses: 'Address',
  emails: 'EmailAddress',
  phones: 'PhoneNumber',
  articleData: 'ArticleData',
  versionData: 'VersionData',
  seo: 'SearchPreview',
  authors: 'ArticleAuthor',
  contributors: 'Contributor',
  subjects: 'Subject',
  prices: 'Price',
  contents: 'IssueContent',
  companies: 'ContactCompany',
  annualRevenue: 'Money',
  focalPoint: 'FocalPoint',
  grants: 'Grant',
  confidence: 'Confidence',
  // What the log has; the data of a webhook's call has these names.
  EventData: 'LoggedEventData',
  EventDataActor: 'LoggedEventActor',
};

/** Bodies of requests, whose objects are closed and have other required members than those of records. */
const bodyName = /(Create|Patch)$/;

/** The schema around an object. `kind`: '' for what the server sends. */
interface Owner {
  readonly name: string;
  readonly kind: string;
}

/** The schemas with each object inside them replaced by a reference, and the objects. */
export function nameGroups(schemas: Schemas): Schemas {
  const named: Record<string, JsonSchema> = {};
  const shapes = new Map<string, string>();
  const nameFor = ({ name: owner, kind }: Owner, member: string, schema: JsonSchema): string => {
    const own = `${owner}${capitalize(member)}`;
    const base = names[own] ?? names[member] ?? own;
    const shape = `${base} ${JSON.stringify([kind !== '', withoutTexts(schema)])}`;
    const known = shapes.get(shape);
    if (known !== undefined) return known;
    const choices = kind === '' ? [base, own] : [`${base}Input`, `${base}${kind}`, `${own}${kind}`];
    const free = choices.find((name) => named[name] === undefined && schemas[name] === undefined);
    if (free === undefined) throw new Error(`there is no name for ${member} of ${owner}`);
    shapes.set(shape, free);
    return free;
  };
  const visit = (schema: JsonSchema, owner: Owner, member: string): JsonSchema => {
    const inside = visitInside(schema, { ...owner, name: `${owner.name}${capitalize(member)}` });
    if (inside.type === 'object' && inside.properties !== undefined) {
      const name = nameFor(owner, member, inside);
      named[name] ??= inside;
      const { description } = inside;
      return { ...reference(name), ...(description === undefined ? {} : { description }) };
    }
    const { items, anyOf } = inside;
    return {
      ...inside,
      ...(items === undefined ? {} : { items: visit(items, owner, member) }),
      ...(anyOf === undefined ? {} : { anyOf: anyOf.map((option) => visit(option, owner, member)) }),
    };
  };
  const visitInside = (schema: JsonSchema, owner: Owner): JsonSchema => {
    if (schema.properties === undefined) return schema;
    const members = Object.entries(schema.properties);
    return {
      ...schema,
      properties: Object.fromEntries(members.map(([name, member]) => [name, visit(member, owner, name)])),
    };
  };
  const outer = Object.entries(schemas).map(([name, schema]) => {
    const owner = { name: name.replace(bodyName, ''), kind: bodyName.exec(name)?.[0] ?? '' };
    return [name, visitInside(schema, owner)];
  });
  return { ...Object.fromEntries(outer), ...named };
}

/** What decides whether two objects are the same. */
function withoutTexts({ description: _description, examples: _examples, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
