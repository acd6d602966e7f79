/**
 * The plant store: a sandbox with its own contract, without versions and idempotency keys and with true 64-bit ids. It
 * shares tokens, organizations and isolation with the tenant API.
 */

import { limits } from '@trellis/schema/resources/limits.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { MalformedJsonError, parseJson } from '@trellis/schema/values/json.ts';
import {
  codePointLength,
  findForbiddenCharacter,
  hasExcessiveMarks,
  isFarTooLong,
  maxCombiningMarks,
  nearestName,
  normalizeText,
  quoteName,
} from '@trellis/schema/values/text.ts';
import { type DatabaseFailure, type Statement, step } from '../../kernel/database/batch.ts';
import type { Database, Scope } from '../../kernel/database/database.ts';
import { defineRow, nullable, number, text } from '../../kernel/database/row.ts';
import { accessLockStep } from '../../kernel/identity/access-lock.ts';
import {
  identify,
  identityStep,
  permit,
  type Requirement,
  readIdentity,
} from '../../kernel/identity/actor.ts';
import type { Credentials } from '../../kernel/identity/authenticator.ts';
import { SandboxError } from './errors.ts';

/** A plant as create and list return it, without its id. */
export interface Plant {
  readonly name: string;
  readonly tag?: string;
}

export interface NewPlant extends Plant {
  readonly id: bigint;
}

const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

const lockPlants: Statement = {
  name: 'lock_plants',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('plants ' || $1::text, 0))`,
};
const countRow = defineRow({ count: number('count(*)') });
const countPlants: Statement = {
  name: 'count_plants',
  text: `SELECT ${countRow.list} FROM trellis.plants WHERE organization_id = $1`,
};
const insertPlant: Statement = {
  name: 'insert_plant',
  text: 'INSERT INTO trellis.plants (organization_id, id, creation, name, tag) VALUES ($1, $2, $3, $4, $5)',
};
const plantRow = defineRow({ name: text('name'), tag: nullable(text('tag')) });
const listStatement: Statement = {
  name: 'list_plants',
  text: `SELECT ${plantRow.list} FROM trellis.plants WHERE organization_id = $1 ORDER BY creation LIMIT $2`,
};
const deleteStatement: Statement = {
  name: 'delete_plant',
  text: 'DELETE FROM trellis.plants WHERE organization_id = $1 AND id = $2',
};

/** What an action on plants requires. */
export function plantRequirement(action: 'read' | 'create' | 'delete'): Requirement {
  const scope = action === 'read' ? 'plants:read' : 'plants:write';
  return { scopes: [scope], module: 'sandbox', permission: { resource: 'plants', action } };
}

/**
 * Creates a plant. Checking the quota and inserting are one transaction; creates of one organization are serialized.
 * @throws SandboxError duplicateId, quotaReached; Problem when the token does not permit it
 */
export async function createPlant(
  database: Database,
  credentials: Credentials,
  plant: NewPlant,
): Promise<Plant> {
  const { organizationId } = credentials;
  const first = [
    accessLockStep('shared', organizationId),
    identityStep(credentials),
    step(lockPlants, [organizationId]),
    step(countPlants, [organizationId]),
  ];
  try {
    await database.transaction(credentials, first, async ([, identity, , count], transaction) => {
      permit(identify(readIdentity(identity), 'sandbox'), plantRequirement('create'));
      const values = [organizationId, plant.id.toString(), newUuid(), plant.name, plant.tag ?? null];
      const full = (countRow.first(count)?.count ?? 0) >= limits.plants;
      // A duplicate id is reported before the quota, because the caller can correct it.
      await transaction.send([step(insertPlant, values)]);
      if (full)
        throw new SandboxError('quotaReached', `An organization has at most ${limits.plants} plants.`);
      await transaction.commit([]);
    });
  } catch (error) {
    if ((error as DatabaseFailure).code === '23505') {
      throw new SandboxError('duplicateId', `A plant with the id ${plant.id} already exists.`);
    }
    throw error;
  }
  return toPlant(plant.name, plant.tag ?? null);
}

/** The first `limit` plants in creation order. */
export async function listPlants(database: Database, scope: Scope, limit: number): Promise<Plant[]> {
  const [result] = await database.query(scope, [step(listStatement, [scope.organizationId, String(limit)])]);
  return plantRow.all(result).map(({ name, tag }) => toPlant(name, tag));
}

/** Deletes a plant. @throws SandboxError plantNotFound; Problem when the token does not permit it */
export async function deletePlant(database: Database, credentials: Credentials, id: bigint): Promise<void> {
  const { organizationId } = credentials;
  const first = [accessLockStep('shared', organizationId), identityStep(credentials)];
  await database.transaction(credentials, first, async ([, identity], transaction) => {
    permit(identify(readIdentity(identity), 'sandbox'), plantRequirement('delete'));
    const [deleted] = await transaction.send([step(deleteStatement, [organizationId, id.toString()])]);
    if (deleted?.affected !== 1)
      throw new SandboxError('plantNotFound', `There is no plant with the id ${id}.`);
    await transaction.commit([]);
  });
}

/**
 * Reads the body of a create.
 * @throws SandboxError malformedJson, unknownField, invalidBody
 */
export function readNewPlant(bytes: Uint8Array): NewPlant {
  const body = parse(bytes);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new SandboxError('invalidBody', 'The body must be an object with id and name.');
  }
  const known = ['id', 'name', 'tag'];
  for (const field of Object.keys(body)) {
    if (known.includes(field)) continue;
    const nearest = nearestName(field, known);
    const hint = nearest === null ? '' : ` Did you mean "${nearest}"?`;
    throw new SandboxError('unknownField', `Unknown field ${quoteName(field)}.${hint}`);
  }
  const { id, name, tag } = body as Record<string, unknown>;
  const plant = { id: readBodyId(id), name: readText('name', name, limits.plantName) };
  // An empty tag counts as absent.
  const isAbsent = tag === undefined || (typeof tag === 'string' && tag.trim() === '');
  return isAbsent ? plant : { ...plant, tag: readText('tag', tag, limits.plantTag) };
}

/**
 * Reads a body where none is expected: an empty object at most, so that nothing that was meant is ignored.
 * @throws SandboxError malformedJson, unknownField, invalidBody
 */
export function readNoBody(bytes: Uint8Array): void {
  const body = parse(bytes);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new SandboxError('invalidBody', 'This call has no body.');
  const [field] = Object.keys(body);
  if (field !== undefined)
    throw new SandboxError('unknownField', `Unknown field ${quoteName(field)}. This call has no body.`);
}

/** Reads the id in a path, written as an integer in JSON is. @throws SandboxError invalidId */
export function readPathId(text: string): bigint {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(text))
    throw new SandboxError('invalidId', `"${text.slice(0, 40)}" is not a 64-bit integer.`);
  const id = BigInt(text);
  if (id < int64.min || id > int64.max)
    throw new SandboxError('invalidId', `${text} is not a 64-bit integer.`);
  return id;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes, { maxDepth: limits.bodyDepth, integers: 'bigint' });
  } catch (error) {
    if (!(error instanceof MalformedJsonError)) throw error;
    throw new SandboxError('malformedJson', `Line ${error.line}, column ${error.column}: ${error.reason}.`);
  }
}

/** Only integers without fraction and exponent: other numbers may have been rounded. */
function readBodyId(id: unknown): bigint {
  if (id === undefined) throw new SandboxError('invalidBody', 'id is required.');
  if (typeof id !== 'bigint') {
    const form = typeof id === 'number' ? ', written in digits without a fraction and an exponent' : '';
    throw new SandboxError('invalidBody', `id must be an integer${form}.`);
  }
  if (id < int64.min || id > int64.max) {
    throw new SandboxError('invalidBody', `id must be a 64-bit integer: ${id} is out of range.`);
  }
  return id;
}

function readText(field: string, value: unknown, max: number): string {
  if (value === undefined) throw new SandboxError('invalidBody', `${field} is required.`);
  if (typeof value !== 'string') throw new SandboxError('invalidBody', `${field} must be a string.`);
  if (isFarTooLong(value, max)) throw new SandboxError('invalidBody', describeText(field, max));
  if (hasExcessiveMarks(value)) {
    const limit = `must not have more than ${maxCombiningMarks} combining marks in a row`;
    throw new SandboxError('invalidBody', `${field} ${limit}.`);
  }
  const text = normalizeText(value);
  if (text === '' || codePointLength(text) > max || findForbiddenCharacter(text) >= 0) {
    throw new SandboxError('invalidBody', describeText(field, max));
  }
  return text;
}

function describeText(field: string, max: number): string {
  return `${field} must have 1 to ${max} characters, none of them control characters.`;
}

function toPlant(name: string, tag: string | null): Plant {
  return tag === null ? { name } : { name, tag };
}
