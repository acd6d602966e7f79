/**
 * Checks a body against its schema, and normalizes its texts. The cost is bounded by the size of the body, and the number of
 * reported faults by {@link maxFaults}: sizes are checked first, and values that are too large, unknown or of another type
 * are not inspected further.
 */
import type { ValidateFunction } from 'ajv';
import { type Fault, maxFaults } from '../problem.ts';
import { trimInvisible } from '../values/invisible.ts';
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
import { cleanFormat } from './formats.ts';
import { compileSchema } from './schema-compiler.ts';

/** A checked body. It must not be used unless `faults` is empty. */
export interface CheckedBody {
  /** The body with normalized texts. */
  readonly body: unknown;
  /** The faults, at most {@link maxFaults}. */
  readonly faults: readonly Fault[];
}

/**
 * Makes the check of bodies against a schema. The schema is compiled for the first body: compiling all schemas would be a
 * third of the time in which a server starts.
 *
 * @param readOnly members that records have and bodies may not, see `readOnlyPointers`.
 * @param name of the schema, for `compileSchema`.
 */
export function createBodyCheck(
  schema: JsonSchema,
  readOnly: readonly string[] = [],
  name = '',
): (body: unknown) => CheckedBody {
  let compiled: ValidateFunction | undefined;
  const readOnlyNames = new Set(readOnly);
  return (body) => {
    const preparation = new Preparation(readOnlyNames);
    const prepared = preparation.prepare(body, schema, '');
    const { faults, refused } = preparation;
    compiled ??= compileSchema(schema, name);
    const validate = compiled;
    if (faults.length < maxFaults && !validate(prepared))
      faults.push(...findErrors(validate, schema, prepared, refused));
    return { body: prepared, faults: dropEmpty(dropRepeated(dropImplied(faults))).slice(0, maxFaults) };
  };
}

/** The validator's errors for the values that are not refused already. */
function findErrors(
  validate: ValidateFunction,
  schema: JsonSchema,
  body: unknown,
  refused: ReadonlySet<string>,
): Fault[] {
  const errors = (validate.errors ?? []).filter(({ instancePath }) => !refused.has(instancePath));
  return describeErrors(errors.slice(0, maxErrors), schema, body);
}

/** The number of validator errors that are described: some are repeated, and some are implied by others. */
const maxErrors = 10 * maxFaults;

/** The maximum length of texts whose schema has none: instants and choices, which are all shorter. */
const longestWord = 100;

/** One traversal of a body. */
class Preparation {
  readonly faults: Fault[] = [];
  /** Pointers of values with a fault. These values are replaced, so the validator's errors for them are ignored. */
  readonly refused = new Set<string>();
  readonly #readOnly: ReadonlySet<string>;

  constructor(readOnly: ReadonlySet<string>) {
    this.#readOnly = readOnly;
  }

  /** The value in the form in which it is validated; `schema` describes it. */
  prepare(value: unknown, schema: JsonSchema, pointer: string): unknown {
    const plain = unwrap(schema) ?? schema;
    if (typeof value === 'string') return this.#prepareText(value, plain, plain !== schema, pointer);
    if (Array.isArray(value)) return this.#prepareList(value, plain, pointer);
    if (typeof value === 'object' && value !== null) return this.#prepareObject(value, plain, pointer);
    return value;
  }

  #prepareList(list: readonly unknown[], { type, items, maxItems }: JsonSchema, pointer: string): unknown[] {
    // The validator reports any value that is not an array.
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
    // `Object.entries` would list all members of a large object, most of which may be refused.
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
    // Text pasted on Windows has CR LF at line ends; any other control character is refused.
    const trimmed = cleanFormat(schema.format, value.replaceAll('\r\n', '\n'));
    if (typeof schema.maxLength !== 'number') {
      return trimmed.length > longestWord ? trimmed : this.#normalize(trimmed, pointer);
    }
    if (isFarTooLong(trimmed, schema.maxLength))
      return this.#refuse(pointer, limitFault(pointer, 'maxLength', schema.maxLength));
    // HTML forms send an empty text for fields that were not filled in.
    if (trimmed === '' && isNullable && Number(schema.minLength ?? 0) > 0) return null;
    return this.#normalize(trimmed, pointer);
  }

  /** Checks text that is stored as it is. */
  #prepareVerbatim(text: string, maxBytes: number, pointer: string): string {
    if (text.length > maxBytes) return this.#refuse(pointer, limitFault(pointer, 'x-max-bytes', maxBytes));
    return hasExcessiveMarks(text) ? this.#refuse(pointer, marksFault(pointer)) : text;
  }

  #normalize(text: string, pointer: string): string {
    if (hasExcessiveMarks(text)) return this.#refuse(pointer, marksFault(pointer));
    // Normalization decomposes some letters into a letter and marks. The stored form must also pass this check.
    const composed = text.normalize('NFC');
    if (hasExcessiveMarks(composed)) return this.#refuse(pointer, marksFault(pointer));
    return findForbiddenCharacter(composed) >= 0
      ? this.#refuse(pointer, controlFault(pointer))
      : trimInvisible(composed);
  }

  /** Records the fault, and returns a short, unique text that replaces the value. */
  #refuse(pointer: string, fault: Fault): string {
    this.faults.push(fault);
    this.refused.add(pointer);
    return pointer;
  }
}

function marksFault(pointer: string): Fault {
  return { pointer, code: 'combining_marks', detail: marksDetail };
}

/** The message for a text with too many combining marks. */
export const marksDetail = `Must not have more than ${maxCombiningMarks} combining marks in a row.`;

function controlFault(pointer: string): Fault {
  return {
    pointer,
    code: 'forbidden_character',
    detail: 'Control characters other than tab and newline are not allowed.',
  };
}
