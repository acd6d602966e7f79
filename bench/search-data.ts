/**
 * Fills an organization with contacts, books and knowledge files, with the statements of the product's own pipeline, many in
 * one batch, and copies the result to a second organization. Texts follow from the number of a record and are the same in
 * every run.
 */

import { books } from '@trellis/schema/resources/books.ts';
import { contacts } from '@trellis/schema/resources/contacts.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import type { StoredRecord, Values } from '@trellis/schema/validation/values.ts';
import { builtInRoleSteps } from '@trellis/server/features/access/roles/storage.ts';
import { indexPages, textSteps } from '@trellis/server/features/knowledge/extracted-text.ts';
import { createModels } from '@trellis/server/features.ts';
import type { Step } from '@trellis/server/kernel/database/batch.ts';
import { sendBatch } from '@trellis/server/kernel/database/connections.ts';
import { modelOf } from '@trellis/server/kernel/pipeline/model.ts';
import { scopeOf } from '@trellis/server/kernel/pipeline/search/analyzer/lexemes.ts';
import { searchEntrySteps } from '@trellis/server/kernel/pipeline/search/entries.ts';
import { searchParent } from '@trellis/server/kernel/pipeline/search/texts.ts';
import type { Client } from 'pg';
import { definitionSql, makeVocabulary } from './data.ts';

/** The callers, each with another role. */
export const roles = ['OWNER', 'EDITOR', 'AUTHOR', 'VIEWER'] as const;
export type Role = (typeof roles)[number];
export const resources = ['contacts', 'books', 'knowledge-files'] as const;
export type ResourceName = (typeof resources)[number];

/** Keys of the organizations: the measured one, another one, and one for records made through the API. */
export const organizations = { measured: 'bench', other: 'other', checked: 'checked' } as const;

/** Steps sent in one batch. */
const batchSteps = 1_000;
const rareWords = 1_000;
const mediumWords = 50;

/** A word in one of a thousand records. No other word is one typo away. */
export const rareWord = (number: number) => makeWord(number % rareWords, 5);
/** A word in one of fifty records. */
export const mediumWord = (number: number) => makeWord(rareWords + (number % mediumWords), 3);
/** Words in a third of all records and more. */
export const commonWords = ['release', 'compiler', 'language', 'error', 'library'] as const;
const jobs = ['software engineer', 'sales manager', 'account manager', 'head of research', 'chief engineer'];

/** What the person is. */
export const jobOf = (number: number) => jobs[number % jobs.length] ?? '';
export const emailOf = (number: number) =>
  `${mediumWord(number)}.${rareWord(number)}@company-${number}.example.com`;
/** In national notation, as in Germany: `030 20000017`. */
export const nationalPhone = (number: number) => `030 ${20_000_000 + number * 7}`;

/** Makes the organizations and fills two of them with `count` records of each resource. */
export async function fillForSearch(client: Client, count: number): Promise<void> {
  // Foreign keys hold by construction; checking them would take a third of the time.
  await client.query(`SET session_replication_role = replica; SET synchronous_commit = off;
    SET maintenance_work_mem = '512MB'`);
  const ids = new Map<string, string>();
  for (const key of Object.values(organizations)) ids.set(key, await makeOrganization(client, key));
  const measured = ids.get(organizations.measured) ?? '';
  const users = await makeUsers(client, [...ids.values()]);
  const rebuildIndexes = await dropTextIndexes(client);
  await client.query('BEGIN');
  let steps: Step[] = [];
  for await (const step of allSteps(measured, users, count)) {
    steps.push(step);
    if (steps.length < batchSteps) continue;
    await sendBatch(client, steps, true);
    steps = [];
  }
  if (steps.length > 0) await sendBatch(client, steps, true);
  await copyOrganization(client, measured, ids.get(organizations.other) ?? '');
  // All of it is indexed already.
  await client.query('DELETE FROM trellis.search_marks');
  await client.query('COMMIT');
  await rebuildIndexes();
}

async function makeOrganization(client: Client, key: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO trellis.organizations (id, key, name, modules, default_country)
     VALUES (gen_random_uuid(), $1, $1, '{crm,publishing,knowledge}', 'DE') RETURNING id`,
    [key],
  );
  const id = rows[0]?.id ?? '';
  for (const { statement, values } of builtInRoleSteps(id)) await client.query(statement.text, [...values]);
  return id;
}

/** The e-mail address of the member with a role. */
export const addressOf = (role: Role) => `${role.toLowerCase()}@example.com`;

async function makeUsers(client: Client, organizationIds: readonly string[]): Promise<Map<Role, string>> {
  const users = new Map<Role, string>();
  for (const role of roles) {
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO trellis.users (id, email, email_normalized, name)
       VALUES (gen_random_uuid(), $1, $1, $2) RETURNING id`,
      [addressOf(role), role],
    );
    const id = rows[0]?.id ?? '';
    users.set(role, id);
    for (const organization of organizationIds) {
      await client.query(
        'INSERT INTO trellis.memberships (organization_id, user_id, role) VALUES ($1, $2, $3)',
        [organization, id, role],
      );
    }
  }
  return users;
}

/** Building the text indexes afterwards takes a quarter of the time of filling them row by row. */
async function dropTextIndexes(client: Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass AS name, ${definitionSql('i.indexrelid')} AS definition
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
     WHERE a.amname = 'gin' AND c.relnamespace = 'trellis'::regnamespace`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return async () => {
    for (const { definition } of rows) await client.query(definition);
  };
}

async function* allSteps(
  organizationId: string,
  users: ReadonlyMap<Role, string>,
  count: number,
): AsyncGenerator<Step> {
  const models = createModels();
  for (const resource of resources) {
    const model = modelOf(models, resource);
    for (let number = 1; number <= count; number += 1) {
      const after = makeRecord(resource, number, count, users);
      yield* model.storage.insert({ organizationId, before: null, after });
      yield* searchEntrySteps(model, organizationId, null, after);
      if (resource !== 'knowledge-files') continue;
      const pages = makePages(number);
      const characters = pages.join('').length;
      const text = { pages, pageCount: pages.length, characters, truncated: false };
      yield* textSteps(organizationId, after.id, await indexPages(organizationId, text), null);
    }
  }
}

function makeRecord(
  resource: ResourceName,
  number: number,
  count: number,
  users: ReadonlyMap<Role, string>,
): StoredRecord {
  const at = new Date(Date.UTC(2020, 0, 1) + number * 60_000).toISOString();
  const owner = users.get('OWNER') ?? null;
  return {
    id: recordId(number),
    parentId: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
    createdBy: owner,
    updatedBy: owner,
    values:
      resource === 'contacts'
        ? makeContact(number)
        : resource === 'books'
          ? makeBook(number)
          : makeFile(number, count, users),
  };
}

/** Ids in the order of creation, as UUIDv7 are. */
export const recordId = (number: number) =>
  `01900000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

/** The body that creates the same record, with the fields that matter to search. */
export function bodyOf(resource: ResourceName, number: number): object {
  if (resource === 'contacts') {
    const { displayName: _name, phones: _phones, ...values } = makeContact(number);
    return { ...values, phones: [{ number: nationalPhone(number), label: 'work', isPrimary: true }] };
  }
  if (resource === 'books') {
    const { status: _status, ...values } = makeBook(number);
    return values;
  }
  const { name, description, tags, language, visibility } = makeFile(number, number * 5, new Map());
  return { name, description, tags, language, visibility };
}

function makeContact(number: number): Values {
  const [firstName, lastName] = [capitalize(mediumWord(number)), capitalize(rareWord(number))];
  const national = nationalPhone(number);
  const phone = { number: national, country: null, label: 'work', isPrimary: true };
  return {
    firstName,
    lastName,
    displayName: `${firstName} ${lastName}`,
    jobTitle: capitalize(jobOf(number)),
    emails: [{ address: emailOf(number), label: 'work', isPrimary: true }],
    phones: [{ ...phone, e164: `+49${national.replace(/^0| /g, '')}` }],
    addresses: [],
    companies: [],
    lifecycleStage: number % 3 === 0 ? 'CUSTOMER' : 'LEAD',
    leadStatus: 'OPEN',
    tags: number % 10 === 0 ? ['newsletter'] : [],
    doNotContact: false,
  };
}

function makeBook(number: number): Values {
  return {
    title: capitalize(`${makeText(number, 1, 5)} ${rareWord(number)}`),
    subtitle: makeText(number, 2, 6),
    description: `${makeText(number, 3, 120)} ${mediumWord(number)}.`,
    language: 'en',
    contributors: [{ name: `${capitalize(mediumWord(number + 7))} Writer`, role: 'AUTHOR' }],
    publisher: `Publisher ${number % 200}`,
    subjects: [],
    prices: [],
    fileIds: [],
    status: number % 3 === 0 ? 'DRAFT' : 'PUBLISHED',
  };
}

/** Of the oldest fifth, every fourth is for everyone; all others are for one member or one role. */
function makeFile(number: number, count: number, users: ReadonlyMap<Role, string>): Values {
  // Drawn: words follow from the number, and every word should be in files of each kind.
  const drawn = Math.floor(makeRandom(number * 13)() * 10);
  const kind = number <= count / 5 && number % 4 === 0 ? 10 : drawn;
  const author = users.get('AUTHOR') ?? '';
  return {
    name: capitalize(`${makeText(number, 4, 4)} ${rareWord(number)}`),
    description: makeText(number, 5, 25),
    tags: number % 10 === 0 ? ['policy'] : [],
    language: 'en',
    visibility: kind === 10 ? 'ORGANIZATION' : kind < 4 || (kind > 5 && kind < 9) ? 'PRIVATE' : 'RESTRICTED',
    allowedUserIds: kind === 9 ? [author] : [],
    allowedRoles: kind === 4 || kind === 5 ? ['EDITOR'] : [],
    ownerUserId: users.get(kind > 5 && kind < 9 ? 'EDITOR' : 'OWNER'),
    fileName: null,
    mediaType: 'application/pdf',
    sizeBytes: 40_000 + number,
    sha256: number.toString(16).padStart(64, '0'),
    pageCount: makePages(number).length,
    contentVersion: 1,
    status: 'READY',
    extractedCharacters: makePages(number).join('').length,
  };
}

/** One page mostly, now and then two or six, of some 1,600 characters each. */
function makePages(number: number): string[] {
  const pages = number % 10 < 6 ? 1 : number % 10 < 9 ? 2 : 6;
  return Array.from({ length: pages }, (_, page) => {
    const text = makeText(number, 10 + page, 240);
    return page === pages - 1 ? `${text} ${mediumWord(number)}.` : text;
  });
}

const vocabulary = makeVocabulary();

/** Words of a text, the frequent ones as frequent as in real texts (Zipf's law). */
function makeText(number: number, seed: number, words: number): string {
  const random = makeRandom(number * 64 + seed);
  const drawn = Array.from(
    { length: words },
    () => vocabulary[Math.floor(vocabulary.length ** random())] ?? '',
  );
  return drawn.join(' ');
}

/** Mulberry32: small, and good enough to draw words by. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const consonants = 'bcdfghjklmnprstvwxz';
const vowels = 'aeiou';

/** A unique word for each number. */
function makeWord(number: number, syllables: number): string {
  const random = makeRandom(number * 7_919);
  const letter = (from: string) => from.charAt(Math.floor(random() * from.length));
  return (
    Array.from({ length: syllables }, () => letter(consonants) + letter(vowels)).join('') + letter(consonants)
  );
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The types of the loaded records, each of which has a scope of its own in the index. */
const types = [contacts, books, knowledgeFiles];

/** The lexemes of a row for another organization. @param type SQL of the row's type */
function termsFor(from: string, to: string, type: string): string {
  const cases = types.map((resource) => {
    const [old, other] = [from, to].map((id) => scopeOf(id, searchParent(resource, null), resource.singular));
    return `WHEN '${resource.singular}' THEN replace(terms::text, '${old}', '${other}')`;
  });
  return `(CASE ${type} ${cases.join(' ')} END)::tsvector`;
}

/** Copies the rows of one organization to another. */
async function copyOrganization(client: Client, from: string, to: string): Promise<void> {
  const tables = [
    'contacts',
    'contact_emails',
    'contact_phones',
    'contact_tags',
    'books',
    'knowledge_files',
    'knowledge_file_tags',
    'knowledge_pages',
    'search_records',
    'search_bodies',
  ];
  for (const table of tables) {
    const { rows } = await client.query<{ columns: string }>(
      `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 1 AND NOT attisdropped AND attgenerated = ''`,
      [`trellis.${table}`],
    );
    const columns = rows[0]?.columns ?? '';
    const type = table === 'knowledge_pages' ? `'knowledge-file'` : 'type';
    const copied = columns.replace(/\bterms\b/, termsFor(from, to, type));
    await client.query(
      `INSERT INTO trellis.${table} (organization_id, ${columns})
       SELECT $2, ${copied} FROM trellis.${table} WHERE organization_id = $1`,
      [from, to],
    );
  }
}
