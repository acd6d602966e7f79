/**
 * Why: who may know of a knowledge file is a rule of its own, which every path to a file must obey alike. Here it is said
 * once, of one user and one file, without sets of readers, policies or SQL.
 */
import { createHash } from 'node:crypto';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { User } from './organizations.ts';
import { chosen, type Draw, fold } from './samples.ts';
import { type Fields, type ModelRecord, recordsOf, type State } from './state.ts';

/** Fields that say who sees a file: they are not everybody's to change. */
export const readerFields: readonly string[] = [
  'visibility',
  'allowedUserIds',
  'allowedRoles',
  'ownerUserId',
];

export function isFile({ name }: Resource): boolean {
  return name === 'knowledge-files';
}

/** Whether a user may know of a record. Of everything but files every member of the organization may. */
export function isVisible(user: User, { resource, fields }: ModelRecord): boolean {
  if (!isFile(resource) || fields.ownerUserId === user.id) return true;
  const names = (list: unknown) => list as readonly string[];
  switch (fields.visibility) {
    case 'ORGANIZATION':
      return true;
    case 'RESTRICTED':
      return names(fields.allowedUserIds).includes(user.id) || names(fields.allowedRoles).includes(user.role);
    default:
      return false;
  }
}

/** Those that the user sees, unless there are none or others are wanted too. */
export function preferVisible(user: User, records: ModelRecord[], wanted: boolean): ModelRecord[] {
  const visible = wanted ? records.filter((record) => isVisible(user, record)) : [];
  return visible.length === 0 ? records : visible;
}

/** Whether a user who sees a file may say who else does. */
export function mayChangeReaders(user: User, { fields }: ModelRecord): boolean {
  return fields.ownerUserId === user.id || user.role === 'OWNER' || user.role === 'ADMIN';
}

/** A member who sees the record and may read such: its owner for a file, if nobody else. */
export function witnessOf({ organization }: State, record: ModelRecord): User {
  const witness = organization.users.find((user) => isVisible(user, record));
  if (witness === undefined) throw new Error('a file is owned by a member of the organization');
  return witness;
}

/** Texts given as content, with the type by which they are recognized. */
const contents: readonly (readonly [text: string, mediaType: string])[] = [
  ['Rose', 'text/plain'],
  ['<!DOCTYPE html>\n<title>rose</title>', 'text/html'],
  ['e\u0301t\u00e9, \ttea\r\n', 'text/plain'],
];

/** A text for `content`. */
export function drawContent(draw: Draw): string {
  return chosen(contents, draw)[0];
}

/** What a new file has besides what was given. Nothing extracts its text here. */
export function beginFile(fields: Fields, given: Fields, user: User): Fields {
  const owned = { ...fields, ownerUserId: fields.ownerUserId ?? user.id };
  const { content } = given;
  if (typeof content !== 'string') return owned;
  return {
    ...owned,
    mediaType: contents.find(([text]) => text === content)?.[1],
    sizeBytes: Buffer.byteLength(content),
    sha256: createHash('sha256').update(content).digest('hex'),
    contentVersion: 1,
    status: 'PROCESSING',
  };
}

/** What files are searched for: the beginning of a word, or a word with a typo. */
export type FileQuery = readonly [query: string, isTypo: boolean];

export const fileQueries: readonly FileQuery[] = [
  ['rose', false],
  ['ROSÉ', false],
  ['strass', false],
  ['fire', false],
  ['strase', true],
  ['eklair', true],
];

/** The files that a search must show to the user, whatever the rank: by name or description, after a typo by name. */
export function expectedHits(state: State, user: User, [query, isTypo]: FileQuery): ModelRecord[] {
  const wanted = fold(query);
  const meant: Readonly<Record<string, string>> = { strase: 'strasse', eklair: 'eclair' };
  const isMeant = (word: string) => (isTypo ? word === meant[wanted] : word.startsWith(wanted));
  return recordsOf(state, 'knowledge-files').filter((record) => {
    const { name, description } = record.fields;
    const texts = isTypo ? [name] : [name, description ?? ''];
    return isVisible(user, record) && texts.some((text) => fold(String(text)).split(' ').some(isMeant));
  });
}
