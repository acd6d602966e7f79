/** The declaration of an action: an operation on one record besides the shared ones. Its route, check, documents and dialog follow from it. */
import type { ProblemCode } from '../problem.ts';
import type { Field, Help, ValueOf } from './fields.ts';
import type { Action } from './grants.ts';

/** The body of an action. */
interface ActionInput {
  /** Component of the document. */
  readonly schemaName: string;
  /** Titles and German names are those of fields of the resource with these names. */
  readonly fields: Readonly<Record<string, Field>>;
}

/** What pages say, with the `{name}` of the record. */
interface ActionTexts {
  /** In a menu or on a button. */
  readonly title: Help;
  /** Above the dialog, where the title does not do. */
  readonly heading?: Help;
  /** What happens, in the dialog. Absent: it is done at once. */
  readonly about?: Help;
}

/** An action, by the id of its operation. */
export interface ActionDeclaration {
  /** Below the path of the record. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** Absent where a page has more to say than a dialog. */
  readonly texts?: ActionTexts;
  /** Which right to the records it needs. */
  readonly right: Action;
  /** Whether a person with a session must have signed in lately, where changes of the resource do not need it anyway. */
  readonly needsRecentSignIn?: boolean;
  readonly input?: ActionInput;
  /** What comes back: the record, the record with what is shown once, or something else, by its component. */
  readonly returns: 'record' | 'secret' | { readonly schemaName: string };
  /** What that is, as a sentence. */
  readonly response: string;
  /** Error codes besides those of the version and the body. */
  readonly problems?: readonly ProblemCode[];
}

/** The checked body of an action. */
export type InputOf<A> = A extends { readonly input: { readonly fields: infer F } }
  ? { readonly [K in keyof F]?: ValueOf<F[K]> }
  : Readonly<Record<never, never>>;
