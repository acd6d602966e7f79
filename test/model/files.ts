/**
 * The model's rules of knowledge files. Who may see a file is stated once, for one user and one file, without sets of
 * readers, policies or SQL.
 */
import { createHash } from 'node:crypto';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { User } from './organizations.ts';
import { chosen, type Draw, fold } from './samples.ts';
import { type Fields, type ModelRecord, recordsOf, type State } from './state.ts';

/** Fields that decide who sees a file; not everyone may change them. */
export const readerFields: readonly string[] = [
  'visibility',
  'allowedUserIds',
  'allowedRoles',
  'ownerUserId',
];

export function isFile({ name }: Resource): boolean {
  return name === 'knowledge-files';
}

/** Whether a user may see a record. Every member of the organization sees all records except files. */
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

/** The records that the user sees; all of them if there are none, or if hidden ones are wanted as well. */
export function preferVisible(user: User, records: ModelRecord[], wanted: boolean): ModelRecord[] {
  const visible = wanted ? records.filter((record) => isVisible(user, record)) : [];
  return visible.length === 0 ? records : visible;
}

/** Whether a user who sees a file may change who else does. */
export function mayChangeReaders(user: User, { fields }: ModelRecord): boolean {
  return fields.ownerUserId === user.id || user.role === 'OWNER' || user.role === 'ADMIN';
}

/** A member who may read the record; of a file at least its owner. */
export function witnessOf({ organization }: State, record: ModelRecord): User {
  const witness = organization.users.find((user) => isVisible(user, record));
  if (witness === undefined) throw new Error('no member of the organization may read the record');
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

/** Completes a new file with the fields that do not come from the body. No text is extracted in this test. */
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

/** A search query for files: the beginning of a word, or a word with a typo. */
export type FileQuery = readonly [query: string, isTypo: boolean];

export const fileQueries: readonly FileQuery[] = [
  ['rose', false],
  ['ROSÉ', false],
  ['strass', false],
  ['fire', false],
  ['strase', true],
  ['eklair', true],
];

/** The files that a search must find for the user, in any order: by name, description, what a picture shows or the key in another system; with a typo by name only. */
export function expectedHits(state: State, user: User, [query, isTypo]: FileQuery): ModelRecord[] {
  const wanted = fold(query);
  const meant: Readonly<Record<string, string>> = { strase: 'strasse', eklair: 'eclair' };
  const isMeant = (word: string) => (isTypo ? word === meant[wanted] : word.startsWith(wanted));
  return recordsOf(state, 'knowledge-files').filter((record) => {
    const { name, description, alternativeText, externalId } = record.fields;
    const texts = isTypo ? [name] : [name, description ?? '', alternativeText ?? '', externalId ?? ''];
    return isVisible(user, record) && texts.some((text) => fold(String(text)).split(' ').some(isMeant));
  });
}
