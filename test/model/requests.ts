/**
 * Makes requests from random numbers. A sequence is drawn as plain numbers, so that it can be shrunk and printed; what they
 * mean depends on the state when it runs. Zeros mean the simplest request, so a shrunk sequence is a simple one.
 */

import type { Field } from '@trellis/schema/resources/fields.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { namingFields, weightedFields, withoutDerived, writableFields } from './body-fields.ts';
import type { Refusal } from './decision.ts';
import { drawContent, preferVisible } from './files.ts';
import type { User } from './organizations.ts';
import { rulesOf } from './rules.ts';
import { chosen, type Draw, drawFrom, type PickReference, sampleOf } from './samples.ts';
import {
  collectionPath,
  type Fields,
  type ModelRecord,
  recordsOf,
  referencesIn,
  type State,
  setAt,
} from './state.ts';

/** The kinds of commands, repeated by frequency. */
export const kinds = [
  ...(['create', 'create', 'create', 'create', 'patch', 'patch', 'patch', 'patch', 'move', 'move'] as const),
  ...([
    'transition',
    'transition',
    'same',
    'delete',
    'read',
    'list',
    'list',
    'again',
    'again',
    'wrong',
  ] as const),
  ...(['publishIssue', 'search', 'relocate'] as const),
] as const;

/** A drawn command: numbers from which everything else is chosen. */
export interface Intent {
  readonly kind: (typeof kinds)[number];
  readonly resource: number;
  readonly target: number;
  readonly user: number;
  readonly option: number;
  /** The fields of the body, and the seeds of their values. */
  readonly fields: readonly (readonly [field: number, seed: number])[];
}

/** A body as it is sent, and its values in stored form. */
export interface Body {
  readonly sent: Record<string, unknown>;
  readonly given: Fields;
  /** Refusals of the body in any state. */
  readonly refusals: readonly Refusal[];
}

/** A write request. */
export interface WriteRequest {
  readonly user: User;
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly resource: Resource;
  readonly parentId: string | null;
  /** Null for a create. */
  readonly id: string | null;
  readonly body: Body | null;
  readonly ifMatch: string | null;
  /** Whether the response is to have no body. */
  readonly minimal: boolean;
  readonly key: string;
}

/** The organization of a command, and the other one. */
export interface Scene {
  readonly state: State;
  readonly other: State;
  /** The resources that the sequence is about. */
  readonly theme: readonly Resource[];
}

const usersByWeight = [0, 1, 0, 1, 0, 1, 0, 1, 2, 0, 1, 4, 5, 2, 3];

/** The user who makes the call. */
export function userOf({ state }: Scene, intent: Intent): User {
  const user = state.organization.users[usersByWeight[intent.user % usersByWeight.length] ?? 0];
  if (user === undefined) throw new Error('an organization has fewer users than the model expects');
  return user;
}

/** Path of a write. */
export function pathOf({
  resource,
  parentId,
  id,
}: Pick<WriteRequest, 'resource' | 'parentId' | 'id'>): string {
  return `${collectionPath(resource, parentId)}${id === null ? '' : `/${id}`}`;
}

/** The id of a record that does not exist. */
export function absentId(resource: string): string {
  const prefix = resources.find(({ name }) => name === resource)?.idPrefix;
  return `${prefix ?? { users: 'user' }[resource] ?? 'kf'}_01h455vb4pex5vsknk084sn02q`;
}

/** The resource that the command is about: the first of the theme half of the time. */
export function resourceOf({ theme }: Scene, intent: Intent): Resource {
  const [first] = theme;
  if (first === undefined) throw new Error('a sequence needs a resource');
  const index = intent.resource % (2 * theme.length);
  return theme[index] ?? first;
}

/** A record of the resource, usually one that the caller sees; sometimes of the other organization, or none. */
export function targetOf(
  scene: Scene,
  resource: Resource,
  intent: Intent,
  draw: Draw,
): Pick<WriteRequest, 'parentId' | 'id'> {
  const rare = draw(32);
  const from = rare === 31 ? scene.other : scene.state;
  const records = preferVisible(userOf(scene, intent), recordsOf(from, resource.name), rare < 26);
  const record = records.at(-1 - (intent.target % Math.max(1, records.length)));
  const parentId = record?.parentId ?? (resource.parent === null ? null : absentId(resource.parent.resource));
  if (record === undefined || rare === 30) return { parentId, id: absentId(resource.name) };
  // A record is not found below another parent than its own.
  const parents =
    resource.parent === null || rare !== 29 ? [] : recordsOf(scene.state, resource.parent.resource);
  return { parentId: parents.at(-1)?.id ?? parentId, id: record.id };
}

/** A create of the resource, or of its parent when there is none yet. */
export function requestCreate(scene: Scene, wanted: Resource, intent: Intent, key: string): WriteRequest {
  const draw = drawFrom(intent.option);
  const rare = draw(16);
  let resource = wanted;
  let parentId: string | null = null;
  while (resource.parent !== null) {
    const { parent } = resource;
    const parents = recordsOf(rare === 15 ? scene.other : scene.state, parent.resource);
    const above = parents.at(-1 - (intent.target % Math.max(1, parents.length)));
    if (above !== undefined) {
      parentId = above.id;
      break;
    }
    if (rare >= 14) {
      parentId = absentId(parent.resource);
      break;
    }
    resource = resources.find(({ name }) => name === parent.resource) ?? resource;
  }
  const user = userOf(scene, intent);
  const body = makeBody(scene, resource, parentId, intent, null);
  return {
    user,
    method: 'POST',
    resource,
    parentId,
    id: null,
    body,
    ifMatch: null,
    minimal: draw(8) === 7,
    key,
  };
}

/** An update or deletion of the record. */
export function requestChange(
  scene: Scene,
  resource: Resource,
  intent: Intent,
  key: string,
  make: (record: ModelRecord | undefined, parentId: string | null, draw: Draw) => Body | null,
): WriteRequest {
  const draw = drawFrom(intent.option);
  const target = targetOf(scene, resource, intent, draw);
  const record = scene.state.records.get(target.id ?? '');
  const ifMatch = chosen(
    [
      null,
      null,
      null,
      null,
      null,
      null,
      `"${record?.version ?? 1}"`,
      '*',
      '"99"',
      'W/"1"',
      '"1-gzip"',
      `"99", "${record?.version}"`,
    ],
    draw,
  );
  const minimal = draw(8) === 7;
  const body = make(record, target.parentId, draw);
  const user = userOf(scene, intent);
  return {
    user,
    method: body === null ? 'DELETE' : 'PATCH',
    resource,
    ...target,
    body,
    ifMatch,
    minimal,
    key,
  };
}

/** A patch with the values that the record has already. */
export function makeSameBody(resource: Resource, intent: Intent, record: ModelRecord | undefined): Body {
  const sent: Record<string, unknown> = {};
  const given: Record<string, unknown> = {};
  const writable = writableFields(resource);
  for (const [index] of [[intent.target, 0], ...intent.fields]) {
    const [name, field] = writable[(index ?? 0) % writable.length] ?? ['', undefined];
    const value = record?.fields[name] ?? null;
    if (field === undefined || (value === null && !field.nullable)) continue;
    given[name] = withoutDerived(field, value);
    setAt(sent, name, given[name]);
  }
  return {
    sent,
    given,
    refusals: Object.keys(given).length === 0 ? [{ status: 422, code: 'empty_patch' }] : [],
  };
}

/** A patch of the status, usually to an allowed one; of other fields for a record without a status. */
export function makeTransition(
  scene: Scene,
  resource: Resource,
  intent: Intent,
  record: ModelRecord | undefined,
  parentId: string | null,
  draw: Draw,
): Body {
  const more = draw(4) === 3 ? intent.fields : [];
  const { status } = rulesOf(resource);
  const name = status?.field ?? '';
  const field = writableFields(resource).find(([candidate]) => candidate === name)?.[1];
  const body = makeBody(
    scene,
    resource,
    parentId,
    { ...intent, fields: field === undefined ? intent.fields : more },
    record,
  );
  if (field === undefined) return body;
  const all = (field.schema as JsonSchema).enum ?? [];
  const right = record === undefined ? [] : (status?.transitions.allowed[String(record.fields[name])] ?? []);
  const to = chosen(right.length > 0 && draw(6) < 5 ? right : all, draw);
  const given: Record<string, unknown> = { ...body.given, [name]: to };
  setAt(body.sent, name, to);
  if (to === 'SCHEDULED' && draw(3) < 2) {
    const [, date] =
      writableFields(resource).find(([candidate]) => candidate === 'versionData.scheduledFor') ?? [];
    if (date !== undefined) {
      const { sent, kept } = sampleOf(date.schema as JsonSchema, draw, () => null);
      given['versionData.scheduledFor'] = kept;
      setAt(body.sent, 'versionData.scheduledFor', sent);
    }
  }
  return { sent: body.sent, given, refusals: body.refusals.filter(({ code }) => code !== 'empty_patch') };
}

/** A patch with exactly these values, in the form of records. */
export function requestPatch(user: User, record: ModelRecord, given: Fields, key: string): WriteRequest {
  const { resource, parentId, id } = record;
  const sent: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) setAt(sent, name, value);
  const body = { sent, given, refusals: [] };
  return { user, method: 'PATCH', resource, parentId, id, body, ifMatch: null, minimal: false, key };
}

/** A body that is refused in any state. */
export function makeWrongBody(resource: Resource, draw: Draw): Body {
  const [name = '', field] = writableFields(resource)[draw(writableFields(resource).length)] ?? [];
  const sent: Record<string, unknown> = {};
  const kind = draw(3);
  // Members that only a create accepts are unknown fields in a patch.
  if (kind === 1) sent[chosen(['madeUp', ...Object.keys(resource.createOnly ?? {})], draw)] = 1;
  // No field is an object with this member, and none accepts an object without known members.
  if (kind === 2 && field !== undefined)
    setAt(sent, name, (field.schema as JsonSchema).type === 'object' ? 1 : { madeUp: 1 });
  const code = ['empty_patch', 'unknown_field', 'validation_failed'][kind] ?? '';
  return { sent, given: {}, refusals: [{ status: 422, code }] };
}

/** A body with the drawn fields, and with the required ones for a create. */
export function makeBody(
  scene: Scene,
  resource: Resource,
  parentId: string | null,
  intent: Intent,
  record: ModelRecord | null | undefined,
): Body {
  const isCreate = record === null;
  const sent: Record<string, unknown> = {};
  const given: Record<string, unknown> = {};
  const faulty = new Set<string>();
  const add = (name: string, field: Field, seed: number) => {
    const draw = drawFrom(seed);
    // Status changes are separate commands; a body with a wrong status would seldom be accepted.
    if (/(^|\.)status$/.test(name) && draw(4) < 3) return;
    const sample = sampleField(scene, userOf(scene, intent), field, parentId, isCreate, draw);
    if (sample === null) return;
    // The later value of a field that is drawn twice is sent.
    if (sample.faulty) faulty.add(name);
    else faulty.delete(name);
    given[name] = sample.kept;
    setAt(sent, name, sample.sent);
  };
  if (isCreate)
    for (const [index, [name, field]] of namingFields(resource).entries())
      add(name, field, intent.option * (index + 1));
  const draw = drawFrom(intent.option);
  if (isCreate && resource.createOnly?.content !== undefined && draw(3) === 2)
    given.content = sent.content = drawContent(draw);
  const weighted = weightedFields(resource);
  for (const [index, seed] of intent.fields) {
    const [name, field] = weighted[index % weighted.length] ?? [];
    if (name !== undefined && field !== undefined) add(name, field, seed);
  }
  const malformed = referencesIn(resource, given).filter(({ id }) => id.endsWith('_nonsense'));
  const pointers = malformed.map(({ pointer }) => pointer);
  const refusals: Refusal[] = [];
  if (faulty.size > 0) refusals.push({ status: 422, code: 'validation_failed' });
  else if (pointers.length > 0) refusals.push({ status: 422, code: 'reference_not_found', pointers });
  if (!isCreate && Object.keys(given).length === 0) refusals.push({ status: 422, code: 'empty_patch' });
  return { sent, given, refusals };
}

function sampleField(
  scene: Scene,
  user: User,
  field: Field,
  parentId: string | null,
  isCreate: boolean,
  draw: Draw,
) {
  if (field.nullable && draw(6) === 5) return { sent: null, kept: null, faulty: false };
  const pick: PickReference = (name, sameParent, roll) =>
    pickReference(scene, user, name, sameParent ? parentId : undefined, roll);
  if (field.reference !== null) {
    const { resource, sameParent } = field.reference;
    const count = field.kind === 'uuids' ? draw(4) : 1;
    const ids = new Set(
      Array.from({ length: count }, () => pick(resource, sameParent, draw)).filter((id) => id !== null),
    );
    const [first] = ids;
    if (field.kind === 'uuids') return { sent: [...ids], kept: [...ids], faulty: false };
    return first === undefined ? null : { sent: first, kept: first, faulty: false };
  }
  const schema = field.schema as JsonSchema;
  const sample = sampleOf(schema, draw, pick);
  if (sample.sent === null) return null;
  if (schema.type !== 'object' || isCreate) return sample;
  const [dropped, ...others] = Object.keys(sample.sent as object);
  // A patch may have a part of an object, but no empty one.
  if (dropped === undefined) return null;
  if (others.length === 0 || draw(2) === 0) return sample;
  const without = (value: unknown) =>
    Object.fromEntries(Object.entries(value as object).filter(([key]) => key !== dropped));
  return { ...sample, sent: without(sample.sent), kept: without(sample.kept) };
}

/** Usually a record that the user may refer to; sometimes a record of elsewhere, a missing one, or no id at all. */
function pickReference(
  { state, other }: Scene,
  user: User,
  name: string,
  parentId: string | null | undefined,
  draw: Draw,
): string | null {
  const rare = draw(24);
  if (rare === 23) return `${absentId(name).split('_')[0]}_nonsense`;
  if (rare === 22) return absentId(name);
  const from = rare === 21 ? other : state;
  if (name === 'users') {
    if (rare === 20) return state.organization.disabledUserId;
    return chosen(from.organization.users, draw).id;
  }
  const all = recordsOf(from, name, rare >= 20 ? undefined : parentId);
  const records = preferVisible(user, all, rare < 19);
  return records.length === 0 ? null : chosen(records.reverse(), draw).id;
}
