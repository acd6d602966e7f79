/**
 * Checks a body against its schema, and puts its texts into stored form. What that costs is bounded by the size of the
 * body, and what is told of it by {@link maxFaults}: sizes are looked at first, and nothing inside of what is too large,
 * unknown or of another type is looked at at all.
 */
import type { ValidateFunction } from 'ajv';
import { type Fault, maxFaults } from '../problem.ts';
import {
  findForbiddenCharacter,
  hasExcessiveMarks,
  isFarTooLong,
  maxCombiningMarks,
} from '../values/text.ts';
import type { JsonSchema } from './body-schemas.ts';
import {
  describeErrors,
  dropEmpty,
  dropImplied,
  dropRepeated,
  escapePointer,
  limitFault,
  readOnlyField,
  unknownField,
  unwrap,
} from './faults.ts';
import { compileSchema } from './schema-compiler.ts';

/** A body that was looked at. When `faults` is not empty the body is not to be used. */
export interface CheckedBody {
  /** The body with its texts in stored form. */
  readonly body: unknown;
  /** What is wrong with it, at most {@link maxFaults} entries. */
  readonly faults: readonly Fault[];
}

/**
 * Compiles a schema once, to check bodies by.
 *
 * @param readOnly members that records have and bodies may not, see `readOnlyPointers`.
 */
export function createBodyCheck(
  schema: JsonSchema,
  readOnly: readonly string[] = [],
): (body: unknown) => CheckedBody {
  const validate = compileSchema(schema);
  const readOnlyNames = new Set(readOnly);
  return (body) => {
    const preparation = new Preparation(readOnlyNames);
    const prepared = preparation.prepare(body, schema, '');
    const { faults, refused } = preparation;
    if (faults.length < maxFaults && !validate(prepared))
      faults.push(...findErrors(validate, schema, prepared, refused));
    return { body: prepared, faults: dropEmpty(dropRepeated(dropImplied(faults))).slice(0, maxFaults) };
  };
}

/** What the validator says of values that are not refused already. */
function findErrors(
  validate: ValidateFunction,
  schema: JsonSchema,
  body: unknown,
  refused: ReadonlySet<string>,
): Fault[] {
  const errors = (validate.errors ?? []).filter(({ instancePath }) => !refused.has(instancePath));
  return describeErrors(errors.slice(0, maxErrors), schema, body);
}

/** Errors of the validator that are put into words: some say the same, and some are implied by others. */
const maxErrors = 10 * maxFaults;

/** Texts without a maximum of their own are instants and choices, none of which is longer. */
const longestWord = 100;

/** One walk over a body. */
class Preparation {
  readonly faults: Fault[] = [];
  /** Pointers of values with a fault, which are replaced: what the validator says of them means nothing. */
  readonly refused = new Set<string>();
  readonly #readOnly: ReadonlySet<string>;

  constructor(readOnly: ReadonlySet<string>) {
    this.#readOnly = readOnly;
  }

  /** The value as it is to be validated; `schema` describes it. */
  prepare(value: unknown, schema: JsonSchema, pointer: string): unknown {
    const plain = unwrap(schema) ?? schema;
    if (typeof value === 'string') return this.#prepareText(value, plain, plain !== schema, pointer);
    if (Array.isArray(value)) return this.#prepareList(value, plain, pointer);
    if (typeof value === 'object' && value !== null) return this.#prepareObject(value, plain, pointer);
    return value;
  }

  #prepareList(list: readonly unknown[], { type, items, maxItems }: JsonSchema, pointer: string): unknown[] {
    // Of another type than an array the validator says so; its items mean nothing then.
    if (type !== 'array' || items === undefined) return [];
    if (typeof maxItems === 'number' && list.length > maxItems) {
      this.faults.push(limitFault(pointer, 'maxItems', maxItems));
      return [];
    }
    return list.map((item, index) => this.prepare(item, items, `${pointer}/${index}`));
  }

  #prepareObject(object: object, { type, properties }: JsonSchema, pointer: string): object {
    if (type !== 'object' || properties === undefined) return {};
    const prepared: Record<string, unknown> = {};
    // By its names, one after the other: `Object.entries` would make a list of all members, of which most are refused.
    for (const name of Object.keys(object)) {
      if (this.faults.length >= maxFaults) break;
      const value = (object as Record<string, unknown>)[name];
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (schema === undefined) this.#refuseMember(pointer, name, Object.keys(properties));
      else prepared[name] = this.prepare(value, schema, `${pointer}/${escapePointer(name)}`);
    }
    return prepared;
  }

  #refuseMember(pointer: string, name: string, known: readonly string[]): void {
    const place = pointer.replace(/\/\d+(?=\/|$)/g, '/*');
    this.faults.push(
      this.#readOnly.has(`${place}/${escapePointer(name)}`)
        ? readOnlyField(pointer, name)
        : unknownField(pointer, name, known),
    );
  }

  #prepareText(value: string, schema: JsonSchema, isNullable: boolean, pointer: string): unknown {
    const maxBytes = schema['x-max-bytes'];
    if (typeof maxBytes === 'number') return this.#prepareVerbatim(value, maxBytes, pointer);
    // Text pasted on Windows ends its lines with CR LF; everything else that controls is refused.
    const trimmed = value.replaceAll('\r\n', '\n').trim();
    if (typeof schema.maxLength !== 'number') {
      return trimmed.length > longestWord ? trimmed : this.#normalize(trimmed, pointer);
    }
    if (isFarTooLong(trimmed, schema.maxLength))
      return this.#refuse(pointer, limitFault(pointer, 'maxLength', schema.maxLength));
    // Forms of pages send an empty text for what nobody has filled in.
    if (trimmed === '' && isNullable && Number(schema.minLength ?? 0) > 0) return null;
    return this.#normalize(trimmed, pointer);
  }

  /** Text that is kept as it is. */
  #prepareVerbatim(text: string, maxBytes: number, pointer: string): string {
    if (text.length > maxBytes) return this.#refuse(pointer, limitFault(pointer, 'x-max-bytes', maxBytes));
    return hasExcessiveMarks(text) ? this.#refuse(pointer, marksFault(pointer)) : text;
  }

  #normalize(text: string, pointer: string): string {
    if (hasExcessiveMarks(text)) return this.#refuse(pointer, marksFault(pointer));
    // Some letters fall apart into a letter and marks; what is stored must be taken when it is sent back.
    const composed = text.normalize('NFC');
    if (hasExcessiveMarks(composed)) return this.#refuse(pointer, marksFault(pointer));
    return findForbiddenCharacter(composed) >= 0
      ? this.#refuse(pointer, controlFault(pointer))
      : composed.trim();
  }

  /** Notes the fault, and gives a short text in the value's place that no other value has. */
  #refuse(pointer: string, fault: Fault): string {
    this.faults.push(fault);
    this.refused.add(pointer);
    return pointer;
  }
}

function marksFault(pointer: string): Fault {
  return { pointer, code: 'combining_marks', detail: marksDetail };
}

/** What is said of a text with too many combining marks. */
export const marksDetail = `Must not have more than ${maxCombiningMarks} combining marks in a row.`;

function controlFault(pointer: string): Fault {
  return {
    pointer,
    code: 'forbidden_character',
    detail: 'Control characters other than tab and newline are not allowed.',
  };
}
