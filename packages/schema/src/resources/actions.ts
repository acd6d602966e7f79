/** The declaration of an action: an operation on one record besides the shared ones. Its route, check and documents follow from it. */
import type { ProblemCode } from '../problem.ts';
import { capitalize } from '../values/text.ts';
import type { Field, ValueOf } from './fields.ts';
import type { Action } from './grants.ts';

/** What a response contains once, and no later one. */
export interface Secret {
  /** The member of the response. */
  readonly member: 'secret' | 'link';
  readonly field: Field;
}

/** The body of an action. */
interface ActionInput {
  /** Component of the document. */
  readonly schemaName: string;
  readonly fields: Readonly<Record<string, Field>>;
}

/** An action, by the id of its operation. */
export interface ActionDeclaration {
  /** Below the path of the record. */
  readonly path: string;
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
}

/** The checked body of an action. */
export type InputOf<A> = A extends { readonly input: { readonly fields: infer F } }
  ? { readonly [K in keyof F]?: ValueOf<F[K]> }
  : Readonly<Record<never, never>>;

interface Revealing {
  readonly title: { readonly singular: string };
  readonly secret?: Secret;
}

/** The component of a record with what is shown once; of the record alone if there is nothing of the kind. */
export function shownOnceName({ title, secret }: Revealing): string {
  return secret === undefined ? title.singular : `${title.singular}With${capitalize(secret.member)}`;
}
