/** What resources, fields and values are called in German, from the declarations. */
import { sharedGermanNames } from '@trellis/schema/resources/german.ts';
import { declaredResources } from '@trellis/schema/resources/list.ts';
import { nounOf } from '@trellis/schema/resources/nouns.ts';
import { services } from '@trellis/schema/resources/services.ts';

const declared = declaredResources.flatMap(({ name, german }) =>
  german === undefined ? [] : [{ name, german }],
);

/** Of resources and services by name. */
export const germanResources: Readonly<
  Record<string, { readonly singular: string; readonly plural: string }>
> = Object.fromEntries([...services, ...declared].map(({ name, german }) => [name, german]));

/** Of records by the noun in sentences, singular or plural: `knowledge files`. */
export const germanNouns: Readonly<Record<string, string>> = Object.fromEntries(
  declaredResources.flatMap(({ name, singular, german }) =>
    german === undefined ? [] : [name, singular].map((noun) => [nounOf(noun), german.plural]),
  ),
);

/** Of fields, members of objects and filters, by the last part of their names. */
export const germanFields: Readonly<Record<string, string>> = Object.assign(
  {},
  sharedGermanNames.fields,
  ...declared.map(({ german }) => german.fields),
);

/** Names of values of fixed lists, and of actions of events. */
export const germanValues: Readonly<Record<string, string>> = Object.assign(
  {},
  sharedGermanNames.values,
  ...declared.map(({ german }) => german.values),
);
