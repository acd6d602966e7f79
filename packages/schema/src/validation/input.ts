/**
 * Reads the body of a create or PATCH: reports all its faults at once, and converts it to stored form: texts normalized,
 * ids decoded, instants in UTC.
 */

import { type Fault, maxFaults } from '../problem.ts';
import type { Field } from '../resources/fields.ts';
import { flattenFields, isGroup, type Resource } from '../resources/resource.ts';
import { parseInstant, toInstant } from '../values/clock.ts';
import { decodeId } from '../values/ids.ts';
import { pointerOf } from '../values/paths.ts';
import { codePointLength } from '../values/text.ts';
import { createBodySchema, type JsonSchema, patchBodySchema, readOnlyPointers } from './body-schemas.ts';
import { type CheckedBody, createBodyCheck } from './check-body.ts';
import { completeObject } from './defaults.ts';
import { unwrap } from './faults.ts';
import { normalizeFormat } from './formats.ts';
import { innerReferences, prefixOf, type ReferenceUse, type Values } from './values.ts';

/** The values of a body. They must not be used unless `faults` is empty. */
export interface Input<V extends object = Values> {
  /** The given fields by dotted name, in stored form; null clears. */
  readonly values: V;
  readonly references: readonly ReferenceUse[];
  readonly faults: readonly Fault[];
}

/** Checks bodies of one resource. */
export interface InputReader {
  create(body: unknown): Input;
  patch(body: unknown): Input;
}

/** Makes the checks of both bodies of a resource. */
export function createInputReader(resource: Resource): InputReader {
  const readOnly = readOnlyPointers(resource);
  const checkCreate = createBodyCheck(createBodySchema(resource), readOnly, `${resource.name} create`);
  const checkPatch = createBodyCheck(patchBodySchema(resource), readOnly, `${resource.name} patch`);
  return {
    create: (body) => readBody(resource, checkCreate(body)),
    patch: (body) => readBody(resource, checkPatch(body)),
  };
}

function readBody(resource: Resource, checked: CheckedBody): Input {
  if (checked.faults.length > 0) return { values: {}, references: [], faults: checked.faults };
  const faults: Fault[] = [];
  const values: Values = {};
  const references: ReferenceUse[] = [];
  const source = checked.body as Record<string, unknown>;
  for (const [name, member] of Object.entries({ ...resource.fields, ...resource.createOnly })) {
    const value = source[name];
    if (value === undefined) continue;
    if (isGroup(member)) {
      for (const [inner, field] of Object.entries(member.fields)) {
        const innerValue = (value as Record<string, unknown>)[inner];
        if (innerValue === undefined) continue;
        values[`${name}.${inner}`] = toStored(field, innerValue, `/${name}/${inner}`, references, faults);
      }
    } else {
      values[name] = toStored(member, value, `/${name}`, references, faults);
    }
  }
  return { values, references, faults: faults.slice(0, maxFaults) };
}

/** A validated value in stored form. */
function toStored(
  field: Field,
  value: unknown,
  pointer: string,
  uses: ReferenceUse[],
  faults: Fault[],
): unknown {
  if (value === null) return null;
  if (field.reference !== null) {
    const { resource, sameParent } = field.reference;
    const decode = (id: string, at: string) => decodeReference(resource, sameParent, id, at, uses, faults);
    return Array.isArray(value)
      ? value.map((id: string, index) => decode(id, `${pointer}/${index}`))
      : decode(value as string, pointer);
  }
  if (field.kind === 'instant') return toInstant(parseInstant(value as string) ?? Number.NaN);
  const kept = normalizeFormats(field.schema as JsonSchema, value, pointer, faults);
  const items = (field.schema as JsonSchema).items;
  if (items?.properties === undefined) return kept;
  const inner = innerReferences(field);
  return (kept as Record<string, unknown>[]).map((item, index) => {
    const copy = completeObject(items, item);
    for (const { key, resource } of inner) {
      const id = copy[key];
      if (typeof id === 'string') {
        copy[key] = decodeReference(resource, false, id, `${pointer}/${index}/${key}`, uses, faults);
      }
    }
    return copy;
  });
}

/**
 * Converts the texts of known formats to their stored forms. Texts that become too long by this are faults, and so are
 * items that become equal.
 */
function normalizeFormats(schema: JsonSchema, value: unknown, pointer: string, faults: Fault[]): unknown {
  const plain = unwrap(schema) ?? schema;
  if (typeof value === 'string') return keepFormat(plain, value, pointer, faults);
  if (Array.isArray(value)) {
    const items = value.map((item, index) =>
      normalizeFormats(plain.items ?? {}, item, `${pointer}/${index}`, faults),
    );
    const repeated =
      plain.uniqueItems === true ? items.findIndex((item, index) => items.indexOf(item) < index) : -1;
    if (repeated >= 0 && typeof items[repeated] === 'string') {
      const first = items.indexOf(items[repeated]);
      const detail = `Is the same as item ${first}.`;
      faults.push({ pointer: `${pointer}/${repeated}`, code: 'uniqueItems', detail });
    }
    return items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const member = plain.properties?.[key];
      return [key, member === undefined ? item : normalizeFormats(member, item, `${pointer}/${key}`, faults)];
    }),
  );
}

function keepFormat(
  { format, maxLength }: JsonSchema,
  value: string,
  pointer: string,
  faults: Fault[],
): string {
  const kept = normalizeFormat(format, value);
  if (typeof maxLength === 'number' && kept !== value && codePointLength(kept) > maxLength) {
    const detail = `Must have at most ${maxLength} characters in its stored form, not ${codePointLength(kept)}.`;
    faults.push({ pointer, code: 'maxLength', detail });
  }
  return kept;
}

function decodeReference(
  resource: string,
  sameParent: boolean,
  id: string,
  pointer: string,
  uses: ReferenceUse[],
  faults: Fault[],
): string | null {
  const uuid = decodeId(prefixOf(resource), id);
  // The same fault as for an id of a record that the caller cannot see.
  if (uuid === null) faults.push(referenceFault(pointer));
  else uses.push({ resource, sameParent, id: uuid, pointer });
  return uuid;
}

/** The fault of an id of no record that the caller may refer to. */
export function referenceFault(pointer: string): Fault {
  return { pointer, code: 'reference_not_found', detail: 'No such record.' };
}

/**
 * The faults of objects that lack a required member after a merge patch. The patch itself may leave out any member.
 */
export function findMissingMembers(resource: Resource, patch: Values, merged: Values): Fault[] {
  return flattenFields(resource).flatMap(([name, field]) => {
    const { type, required = [] } = field.schema as JsonSchema;
    const value = merged[name] as Record<string, unknown> | null;
    if (type !== 'object' || value === null || (patch[name] ?? null) === null) return [];
    return required
      .filter((member) => (value[member] ?? null) === null)
      .map((member) => ({
        pointer: pointerOf(`${name}.${member}`),
        code: 'required',
        detail: 'This field is required.',
      }));
  });
}
