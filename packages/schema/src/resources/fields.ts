/**
 * Constructors of fields. Validation, storage, the OpenAPI document and search are derived from the declared fields. A field
 * has a TypeBox schema (JSON Schema that is also a type) of its value, and the properties that JSON Schema cannot express.
 */
import { type Static, type TSchema, Type } from './type.ts';

/** How a value is stored in one PostgreSQL column. */
export type ColumnKind = 'text' | 'texts' | 'integer' | 'boolean' | 'instant' | 'uuid' | 'uuids' | 'json';

/** Weights of PostgreSQL's text search; A has the most influence on the ranking. */
type SearchWeight = 'A' | 'B' | 'C' | 'D';

/** What an id in this field must refer to. `sameParent`: a record under the same parent (site). */
interface Reference {
  readonly resource: string;
  readonly sameParent: boolean;
  /** The dotted name of the list of the same record that must contain the id; null if there is none. */
  readonly among: string | null;
  /** Whether the referenced record cannot be deleted while this one refers to it. */
  readonly blocksDeletion: boolean;
}

/** The statuses of a record and the transitions between them. */
export interface Transitions {
  /** Statuses that a new record may have; the first is the one it has when none is given. */
  readonly initial: readonly string[];
  /** For each status, the statuses that may follow it. */
  readonly allowed: Readonly<Record<string, readonly string[]>>;
  /** Statuses in which readers see the record: entering and leaving them requires the right to publish. */
  readonly published: readonly string[];
  /** The events of entering a status, by status, where they are not `updated`. */
  readonly events: Readonly<Record<string, string>>;
}

/** What a form says about a field, for people: without identifiers, and no repetition of the title. Documents have the description. */
export interface Help {
  readonly en: string;
  readonly de: string;
}

/** A declared field. `schema` describes a value that is present; the flags say whether it may be null or absent. */
export interface Field<S extends TSchema = TSchema, Nullable extends boolean = boolean> {
  readonly schema: S;
  readonly kind: ColumnKind;
  /** Whether the value may be null, which is also the value of a field that was never given. */
  readonly nullable: Nullable;
  /** Whether a create must give the field. */
  readonly required: boolean;
  /** What a create stores when the field is not given and not nullable. */
  readonly defaultValue: unknown;
  readonly searchable: SearchWeight | null;
  /**
   * Whether a searchable text consists of sentences. The `search` filter matches sentences by words, and any part of a name, title,
   * number or address.
   */
  readonly prose: boolean;
  readonly reference: Reference | null;
  readonly readOnly: boolean;
  /** Whether giving or changing the value needs the right to publish. */
  readonly isForPublishers: boolean;
  /** Of a read-only field: whether a create may give it. It then never changes. */
  readonly isCreatable: boolean;
  /** Whether the text is stored exactly as sent, byte for byte. */
  readonly verbatim: boolean;
  /** Of a searchable list of objects: the member with the text. */
  readonly searchableMember: string | null;
  /** Of a list of objects: what one of them is called, as in the columns of a table. Null: like the list. */
  readonly itemName: Help | null;
  /** Whether the value says how the record stands, which lists show by a colour as well. */
  readonly isStatus: boolean;
  /** Of a status: its transitions. */
  readonly transitions: Transitions | null;
  /** Null where the title says enough. */
  readonly help: Help | null;
}

/** A named group of fields inside a record, such as `articleData`. */
export interface FieldGroup {
  readonly group: true;
  readonly description: string;
  readonly fields: Readonly<Record<string, Field>>;
}

/** The type of a field's value in a record. */
export type ValueOf<F> =
  F extends Field<infer S, infer N> ? (N extends true ? Static<S> | null : Static<S>) : never;

interface Flags {
  readonly required?: boolean;
  readonly searchable?: SearchWeight;
  readonly prose?: boolean;
  readonly readOnly?: boolean;
  readonly help?: Help;
}

interface Described extends Flags {
  readonly description: string;
  readonly example: unknown;
}

function annotations(options: Described): { description: string; examples: unknown[] } {
  return { description: options.description, examples: [options.example] };
}

function field<S extends TSchema, N extends boolean>(
  schema: S,
  kind: ColumnKind,
  nullable: N,
  flags: Flags,
  more: Partial<
    Pick<
      Field,
      'defaultValue' | 'reference' | 'verbatim' | 'searchableMember' | 'itemName' | 'isStatus' | 'transitions'
    >
  > = {},
): Field<S, N> {
  return {
    schema,
    kind,
    nullable,
    required: flags.required ?? false,
    defaultValue: more.defaultValue ?? null,
    searchable: flags.searchable ?? null,
    prose: flags.prose ?? false,
    reference: more.reference ?? null,
    readOnly: flags.readOnly ?? false,
    isForPublishers: false,
    isCreatable: false,
    verbatim: more.verbatim ?? false,
    searchableMember: more.searchableMember ?? null,
    itemName: more.itemName ?? null,
    isStatus: more.isStatus ?? false,
    transitions: more.transitions ?? null,
    help: flags.help ?? null,
  };
}

/** A line or paragraph of text: NFC-normalized, trimmed, free of control characters; lengths in code points. */
export function text(
  options: Described & { max: number; min?: number; pattern?: string; format?: string; default?: string },
) {
  const { max, min = 1, pattern, format, default: defaultValue } = options;
  return field(
    Type.String({
      ...annotations(options),
      minLength: min,
      maxLength: max,
      ...(pattern === undefined ? {} : { pattern }),
      ...(format === undefined ? {} : { format }),
      ...(defaultValue === undefined ? {} : { default: defaultValue }),
    }),
    'text',
    false,
    options,
    { defaultValue: defaultValue ?? null },
  );
}

/** Text that is stored exactly as sent, without trimming and normalization; its limit is in bytes of UTF-8. */
export function verbatimText(options: Described & { maxBytes: number }) {
  return field(
    Type.String({ ...annotations(options), maxLength: options.maxBytes, 'x-max-bytes': options.maxBytes }),
    'text',
    false,
    options,
    { verbatim: true },
  );
}

/** True or false, never null; `false` when not given. */
export function flag(options: Described & { default: boolean }) {
  return field(
    Type.Boolean({ ...annotations(options), default: options.default }),
    'boolean',
    false,
    options,
    {
      defaultValue: options.default,
    },
  );
}

/** A whole number; required unless made nullable or given a default. */
export function integer(options: Described & { min: number; max: number; default?: number }) {
  const withDefault = options.default === undefined ? {} : { default: options.default };
  return field(
    Type.Integer({ ...annotations(options), minimum: options.min, maximum: options.max, ...withDefault }),
    'integer',
    false,
    options,
    { defaultValue: options.default ?? null },
  );
}

/** One of a fixed list of UPPER_SNAKE values. */
export function choice<const V extends readonly [string, ...string[]]>(
  values: V,
  options: Described & { default?: V[number]; isStatus?: boolean },
) {
  const withDefault = options.default === undefined ? {} : { default: options.default };
  return field(
    Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...annotations(options), ...withDefault }),
    'text',
    false,
    options,
    { defaultValue: options.default ?? null, isStatus: options.isStatus ?? false },
  );
}

/** A status with the transitions between its values; any other transition is refused. */
export function states<const V extends readonly [string, ...string[]]>(
  values: V,
  options: Described & {
    initial: readonly [V[number], ...V[number][]];
    allowed: Readonly<Record<V[number], readonly V[number][]>>;
    published?: readonly V[number][];
    events?: Readonly<Partial<Record<V[number], string>>>;
  },
) {
  const { initial, allowed, published = [] } = options;
  const events: Readonly<Record<string, string>> = { ...options.events };
  const status = choice(values, { ...options, default: initial[0], isStatus: true });
  return { ...status, transitions: { initial, allowed, published, events } };
}

/** Several of a fixed list of UPPER_SNAKE values, each at most once. */
export function choices<const V extends readonly [string, ...string[]]>(values: V, options: Described) {
  return field(
    Type.Array(Type.Unsafe<V[number]>({ type: 'string', enum: [...values] }), {
      ...annotations(options),
      maxItems: values.length,
      uniqueItems: true,
      default: [],
    }),
    'texts',
    false,
    options,
    { defaultValue: [] },
  );
}

/** A BCP 47 language tag, stored in canonical form. */
export function locale(options: Described & { default?: string }) {
  const withDefault = options.default === undefined ? {} : { default: options.default };
  return field(
    Type.String({ ...annotations(options), minLength: 2, maxLength: 35, format: 'locale', ...withDefault }),
    'text',
    false,
    options,
    { defaultValue: options.default ?? null },
  );
}

/**
 * A point in time (RFC 3339), stored and returned in UTC with milliseconds. `when`: `future` for instants after now,
 * `schedule` for instants after now and not too far ahead to schedule a transition (`limits.scheduleYears`).
 */
export function instant(options: Described & { when?: 'future' | 'schedule' }) {
  const { when } = options;
  return field(
    Type.String({
      ...annotations(options),
      format: when === undefined ? 'date-time' : (`${when}-date-time` as const),
    }),
    'instant',
    false,
    options,
  );
}

/** A list of strings in the given order, each trimmed and normalized. */
export function strings(options: Described & { max: number; item: { max: number; format?: string } }) {
  const item = options.item;
  return field(
    Type.Array(
      Type.String({
        minLength: 1,
        maxLength: item.max,
        ...(item.format === undefined ? {} : { format: item.format }),
      }),
      { ...annotations(options), maxItems: options.max, uniqueItems: true, default: [] },
    ),
    'json',
    false,
    options,
    { defaultValue: [] },
  );
}

/** An ordered list of objects of one closed shape. `searchableMember`: the member with the text of a searchable list. */
export function list<S extends TSchema>(
  item: S,
  options: Described & { max: number; searchableMember?: string; itemName?: Help },
) {
  return field(
    Type.Array(item, { ...annotations(options), maxItems: options.max, default: [] }),
    'json',
    false,
    options,
    {
      defaultValue: [],
      searchableMember: options.searchableMember ?? null,
      itemName: options.itemName ?? null,
    },
  );
}

/** One object of a closed shape. A PATCH merges into it (RFC 7396). */
export function object<S extends TSchema>(schema: S, options: Flags = {}) {
  return field(schema, 'json', false, options);
}

/** The id of one other record of the same organization that the caller may see. */
export function reference(
  resource: string,
  options: Described & { sameParent?: boolean; among?: string; blocksDeletion?: boolean },
) {
  return field(Type.String({ ...annotations(options), maxLength: 64 }), 'uuid', false, options, {
    reference: {
      resource,
      sameParent: options.sameParent ?? false,
      among: options.among ?? null,
      blocksDeletion: options.blocksDeletion ?? true,
    },
  });
}

/** The id of a knowledge file that people choose as a picture: forms and lists show it. The server takes any file that the caller may see. */
export function picture(options: Described) {
  const inner = reference('knowledge-files', options);
  return { ...inner, schema: { ...inner.schema, 'x-picture': true } };
}

/** An ordered list of ids of other records, each at most once. */
export function references(
  resource: string,
  options: Described & { max: number; sameParent?: boolean; blocksDeletion?: boolean },
) {
  return field(
    Type.Array(Type.String({ maxLength: 64 }), {
      ...annotations(options),
      maxItems: options.max,
      uniqueItems: true,
      default: [],
    }),
    'uuids',
    false,
    options,
    {
      defaultValue: [],
      reference: {
        resource,
        sameParent: options.sameParent ?? false,
        among: null,
        blocksDeletion: options.blocksDeletion ?? true,
      },
    },
  );
}

/** The same field, where null is allowed, clears the value, and is the value when none was ever given. */
export function nullable<S extends TSchema>(inner: Field<S>): Field<S, true> {
  return { ...inner, schema: { ...inner.schema, default: undefined }, nullable: true, defaultValue: null };
}

/** The same field, returned in records but never accepted in a body. */
export function readOnly<F extends Field>(inner: F): F {
  return { ...inner, readOnly: true };
}

/** The same field; giving or changing its value needs the right to publish. */
export function forPublishers<F extends Field>(inner: F): F {
  return { ...inner, isForPublishers: true };
}

/** The same field, accepted in the body of a create only. */
export function givenOnce<F extends Field>(inner: F): F {
  return { ...inner, readOnly: true, isCreatable: true };
}

/** A group of fields under one name in the record. */
export function group<const F extends Readonly<Record<string, Field>>>(description: string, fields: F) {
  return { group: true as const, description, fields };
}
