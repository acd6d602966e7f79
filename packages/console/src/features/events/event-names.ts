/** What the types of events are called: `article.published` is "Article published". */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { resources } from '../../resources/declared.ts';
import type { Names } from '../../text/names.ts';

/** What the names are made with. */
export interface EventWords {
  readonly names: Pick<Names, 'singular' | 'value'>;
  /** The name of `*`. */
  readonly everything: string;
  /** The name of all types of a kind. */
  readonly allOf: (kind: string) => string;
}

/** What the kind of record of an event type, or of a pattern such as `article.*`, is called. */
export function nameKind(type: string, names: EventWords['names']): string {
  return names.singular(kindOf(type.slice(0, type.lastIndexOf('.'))));
}

/** The kind of record that the first part of an event type names. */
export function kindOf(singular: string): Pick<Resource, 'name' | 'title'> {
  const resource = resources.find((one) => one.singular === singular);
  if (resource !== undefined) return resource;
  // Not a resource, such as a session.
  const title = `${singular.charAt(0).toUpperCase()}${singular.slice(1)}`;
  return { name: `${singular}s`, title: { singular: title, plural: `${title}s` } };
}

/** The name of an event type, of a pattern of types, or of `*`. */
export function nameEventType(type: string, { names, everything, allOf }: EventWords): string {
  if (type === '*') return everything;
  const kind = nameKind(type, names);
  const what = type.slice(type.lastIndexOf('.') + 1);
  if (what === '*') return allOf(kind);
  const action = names.value(what.toUpperCase());
  // A participle continues the sentence; "Password changed" is a sentence of its own, whose noun needs a capital in German.
  return /^\p{L}+$/u.test(action) ? `${kind} ${action.toLowerCase()}` : `${kind}: ${action}`;
}
