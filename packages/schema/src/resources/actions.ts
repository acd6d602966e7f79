/** The declaration of an action: an operation on one record besides the shared ones. Its route, check and documents follow from it. */
import type { ProblemCode } from '../problem.ts';
import { valueAt } from '../values/paths.ts';
import { capitalize } from '../values/text.ts';
import type { Field, ValueOf } from './fields.ts';
import type { Action } from './grants.ts';

/** A text in the languages of the console, in ICU MessageFormat. */
interface Localized {
  readonly en: string;
  readonly de: string;
}

/** What a response contains once, and no later one. */
export interface Secret {
  /** The member of the response. */
  readonly member: 'secret' | 'link';
  readonly field: Field;
  /** What the console says when it shows it, with the name of the record as `name`; absent: what it says of any secret. */
  readonly texts?: Readonly<Record<'title' | 'about' | 'once' | 'copy' | 'done', Localized>>;
}

/** How the console shows a member of a body whose name and schema say too little. */
interface InputPresentation {
  readonly label: Localized;
  /** The values that it offers, the first one chosen; absent: any. */
  readonly values?: readonly { readonly value: string | number; readonly label: Localized }[];
}

/** The body of an action. */
interface ActionInput {
  /** Component of the document. */
  readonly schemaName: string;
  readonly fields: Readonly<Record<string, Field>>;
  readonly presentation?: Readonly<Record<string, InputPresentation>>;
}

/** What the console says about an action. Values are the `name` of the record, and after the action the members of the response. */
export type ActionTexts = {
  /** Of the entry in menus, and of the buttons. */
  readonly label: Localized;
  /** Heading of the dialog; absent: the label. */
  readonly title?: Localized;
  /** What the action does, for somebody who has yet to confirm it; absent: it is done without being asked about, unless it has input. */
  readonly about?: Localized;
  /** What has been done; absent where something is shown once. */
  readonly done?: Localized;
};

/** A part of a record, such as one of its versions. */
interface ActionPart {
  /** In the path of the action. */
  readonly parameter: string;
  readonly description: string;
  /** What its ids are; absent: it has a number, from 1. */
  readonly id?: { readonly resource: string; readonly prefix: string };
}

/** An action, by the id of its operation. */
export interface ActionDeclaration {
  /** Below the path of the record. */
  readonly path: string;
  /** What the action is done to, where that is not the record as a whole. */
  readonly part?: ActionPart;
  readonly summary: string;
  readonly description: string;
  /** Which right to the records it needs. */
  readonly right: Action;
  /** Whether a person with a session must have signed in lately, where changes of the resource do not need it anyway. */
  readonly needsRecentSignIn?: boolean;
  readonly input?: ActionInput;
  /** What comes back: the record with what is shown once, or something else, by its component. By default the record. */
  readonly returns?: 'secret' | { readonly schemaName: string };
  /** What that is, as a sentence. */
  readonly response?: string;
  /** Error codes besides those of the version and the body. */
  readonly problems?: readonly ProblemCode[];
  /** Which values fields of the record have where the console offers the action: one of these, any, or none. The plan decides. */
  readonly offered?: Readonly<Record<string, readonly string[] | 'present' | 'absent'>>;
  /** Whether it takes something away, which the console marks. */
  readonly isDestructive?: boolean;
  /** Absent: the console does not offer the action by itself, because a page of its own does, or nobody needs it there. */
  readonly texts?: ActionTexts;
}

/** Whether the console offers an action on a record with these values, whatever the rights. */
export function isOfferedFor(
  { texts, offered = {} }: ActionDeclaration,
  record: Readonly<Record<string, unknown>>,
): boolean {
  if (texts === undefined) return false;
  return Object.entries(offered).every(([field, wanted]) => {
    const value = valueAt(record, field) ?? null;
    if (typeof wanted === 'string') return (value === null) === (wanted === 'absent');
    return typeof value === 'string' && wanted.includes(value);
  });
}

/** The checked body of an action. */
export type InputOf<A> = A extends { readonly input: { readonly fields: infer F } }
  ? { readonly [K in keyof F]?: ValueOf<F[K]> }
  : Readonly<Record<never, never>>;

/** The path of an action below that of its record. @param part absent where the action is on the record as a whole */
export function actionPath({ path, part }: ActionDeclaration, partId = ''): string {
  return part === undefined ? path : path.replace(`{${part.parameter}}`, partId);
}

interface Revealing {
  readonly title: { readonly singular: string };
  readonly secret?: Secret;
}

/** The component of a record with what is shown once; of the record alone if there is nothing of the kind. */
export function shownOnceName({ title, secret }: Revealing): string {
  return secret === undefined ? title.singular : `${title.singular}With${capitalize(secret.member)}`;
}
