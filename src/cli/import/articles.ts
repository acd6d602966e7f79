/**
 * Why: a post is more than its fields: its date says whether it is out, its tags are names and not ids, and what people
 * have begun in Trellis must not be published by an import. What holds for articles only stands here.
 */
import { parseInstant, toInstant } from '../../lib/clock.ts';
import { applyMergePatch, deepEqual } from '../../lib/merge-patch.ts';
import { isPlainObject } from '../../lib/plain-object.ts';
import { articles } from '../../resources/articles.ts';
import { categories } from '../../resources/categories.ts';
import { tags } from '../../resources/tags.ts';
import { buildBody, checkBody } from './body.ts';
import { readFlag, readInstant, readList } from './convert.ts';
import {
  type Decision,
  type ImportRow,
  type Link,
  type ResourceImport,
  RowRejected,
  type Target,
} from './targets.ts';

type Publication = 'DRAFT' | 'PUBLISHED' | 'SCHEDULED';

/** An article to be, with how far it shall be published. */
export interface ArticleRow extends ImportRow {
  readonly publication: Publication;
}

const longestLinkList = 50;
/** Begins every change note of an import, so that a later import may renew it and leaves those of people alone. */
const importedNote = 'Imported.';

const ownTargets: readonly Target[] = [
  {
    name: 'date',
    description:
      'A date that is past is kept in the change note, since the API sets publishedAt itself; a date to come schedules the article.',
    convert: convertDate,
  },
  { name: 'expires', description: 'When it shall be unpublished.', convert: convertDate },
  {
    name: 'draft',
    description: 'Whether it stays a draft.',
    convert: (value) => ({ value: readFlag(value) ?? value }),
  },
  {
    name: 'published',
    description: 'Whether it is published, or since when.',
    convert: (value) => ({ value }),
  },
  { name: 'versionData.status', description: 'DRAFT or PUBLISHED.', convert: (value) => ({ value }) },
  {
    name: 'tags',
    description: 'Names of tags; absent ones are created.',
    convert: (value) => ({ value: readList(value) }),
  },
  {
    name: 'categories',
    description: 'Names of categories; absent ones are created.',
    convert: (value) => ({ value: readList(value) }),
  },
  {
    name: 'articleData.authors',
    description: 'Names of the authors.',
    convert: (value) => ({ value: readAuthors(value) }),
  },
];

/** How posts become articles. */
export const articleImport: ResourceImport<ArticleRow> = {
  resource: articles,
  targets: ownTargets,
  aliases: [
    {
      to: 'versionData.title',
      from: ['title'],
      fallbacks: [
        { from: '(first heading)', mended: 'title taken from the first heading' },
        { from: '(file name)', mended: 'title taken from the name of the file' },
      ],
    },
    { to: 'versionData.body', from: ['(body)'] },
    { to: 'versionData.summary', from: ['summary', 'excerpt', 'description', 'abstract'] },
    { to: 'versionData.locale', from: ['locale', 'lang', 'language'] },
    { to: 'articleData.authors', from: ['authors', 'author'] },
    { to: 'articleData.allowComments', from: ['allowComments', 'comments'] },
    { to: 'articleData.canonicalUrl', from: ['canonicalUrl', 'canonical'] },
    { to: 'tags', from: ['tags', 'tag', 'keywords'] },
    { to: 'categories', from: ['categories', 'category'] },
    {
      to: 'date',
      from: ['date', 'publishDate', 'pubDate', 'publishedAt', 'publishedOn', '(date in the path)'],
    },
    { to: 'expires', from: ['expires', 'expiryDate', 'unpublishAt'] },
  ],
  buildRow,
  decide,
};

function buildRow(
  place: string,
  externalId: string,
  values: ReadonlyMap<string, unknown>,
  now: number,
): ArticleRow {
  const faults: string[] = [];
  const { publication, date, mending } = readPublication(values, now, faults);
  const given = new Map([...values].filter(([name]) => name.includes('.') && name !== 'versionData.status'));
  const expires = readMoment(values.get('expires'), 'expires', faults);
  if (expires !== undefined && expires > now) given.set('versionData.unpublishAt', toInstant(expires));
  if (publication === 'SCHEDULED' && date !== undefined)
    given.set('versionData.scheduledFor', toInstant(date));
  if (date !== undefined && date <= now && !given.has('versionData.changeNote')) {
    given.set(
      'versionData.changeNote',
      `${importedNote} First published on ${toInstant(date).replace('T00:00:00.000Z', '')}.`,
    );
  }
  const body = checkBody(articles, buildBody(given, externalId), faults);
  const links = [
    ...readLinks(values, { name: 'tags', field: 'articleData.tagIds', resource: tags }, faults),
    ...readLinks(
      values,
      { name: 'categories', field: 'articleData.categoryIds', resource: categories },
      faults,
    ),
  ];
  if (faults.length > 0) throw new RowRejected(faults);
  return { place, externalId, body, links, publication, mendings: mending === null ? [] : [mending] };
}

/** Posts are published unless they say otherwise, as the generators have it; a date to come is a date to wait for. */
function readPublication(
  values: ReadonlyMap<string, unknown>,
  now: number,
  faults: string[],
): { publication: Publication; date: number | undefined; mending: string | null } {
  const published = values.get('published');
  const publishedFlag = readFlag(published);
  const publishedDate = publishedFlag === undefined ? published : undefined;
  const date = readMoment(values.get('date') ?? publishedDate, 'date', faults);
  const expires = readMoment(values.get('expires'), 'expires', []);
  const draft = values.get('draft') ?? (publishedFlag === undefined ? undefined : !publishedFlag);
  if (draft !== undefined && typeof draft !== 'boolean') {
    faults.push(`draft: "${String(draft)}" is neither true nor false.`);
  }
  const status = readStatus(values.get('versionData.status'), faults);
  const answer = (publication: Publication, mending: string | null = null) => ({
    publication,
    date,
    mending,
  });
  if (draft === true || status === 'DRAFT') return answer('DRAFT');
  if (expires !== undefined && expires <= now) return answer('DRAFT', 'expired already: left as a draft');
  return answer(date !== undefined && date > now ? 'SCHEDULED' : 'PUBLISHED');
}

function readStatus(value: unknown, faults: string[]): 'DRAFT' | 'PUBLISHED' | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const word = String(value).trim().toUpperCase();
  if (word === 'DRAFT' || word === 'PENDING' || word === 'PRIVATE') return 'DRAFT';
  if (word === 'PUBLISHED' || word === 'PUBLISH') return 'PUBLISHED';
  faults.push(`status: "${String(value)}" is neither DRAFT nor PUBLISHED.`);
  return undefined;
}

/** What is not understood stays as it is, for `readMoment` to name. */
function convertDate(value: unknown): { value: unknown } {
  return { value: value === null || value === '' ? undefined : (readInstant(String(value)) ?? value) };
}

function readMoment(value: unknown, name: string, faults: string[]): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const instant = parseInstant(readInstant(String(value)) ?? '');
  if (instant !== null) return instant;
  faults.push(`${name}: "${String(value)}" is not a date of the form 2018-01-31 or 2018-01-31T09:30:00Z.`);
  return undefined;
}

function readAuthors(value: unknown): unknown {
  if (value === null || value === '') return [];
  const list = Array.isArray(value) ? value : [value];
  return list.map((author) => {
    if (isPlainObject(author) && typeof author.name === 'string') return { name: author.name.trim() };
    return typeof author === 'string' ? { name: author.trim() } : author;
  });
}

function readLinks(
  values: ReadonlyMap<string, unknown>,
  target: { name: string; field: string; resource: Link['resource'] },
  faults: string[],
): Link[] {
  const given = values.get(target.name);
  if (!Array.isArray(given)) return [];
  const names = given.map((item) => (isPlainObject(item) ? (item.name ?? item) : item));
  if (names.some((name) => typeof name !== 'string' && typeof name !== 'number')) {
    faults.push(`${target.name}: Must be a list of names.`);
    return [];
  }
  if (names.length > longestLinkList)
    faults.push(`${target.name}: Must have at most ${longestLinkList} items.`);
  return [{ field: target.field, resource: target.resource, names: names.map(String) }];
}

/**
 * What the record lacks. The file wins over what stands in the record, except that an import publishes nothing that
 * people have begun or taken back: a draft beside a published version, a text in review, an archived article.
 */
function decide(record: Readonly<Record<string, unknown>>, row: ArticleRow): Decision {
  const version = groupOf(record, 'versionData');
  const articleChanges = findChanges(groupOf(record, 'articleData'), groupOf(row.body, 'articleData'));
  const versionChanges = findVersionChanges(record, version, row);
  const edits = Object.keys(versionChanges).length > 0;
  const refusal = edits ? findRefusal(record, version, row) : null;
  if (refusal !== null) return { kind: 'refused', reason: refusal };
  const status = nextStatus(record, version, row, edits);
  const versionPatch = { ...versionChanges, ...(status === undefined ? {} : { status }) };
  const body = {
    ...(Object.keys(articleChanges).length === 0 ? {} : { articleData: articleChanges }),
    ...(Object.keys(versionPatch).length === 0 ? {} : { versionData: versionPatch }),
  };
  const takenBack = row.publication !== 'DRAFT' && wasTakenBack(record, version);
  const mending = takenBack ? { mending: 'taken back in Trellis after it was published: left so' } : {};
  return Object.keys(body).length === 0
    ? { kind: 'settled', ...mending }
    : { kind: 'patch', body, ...mending };
}

/** Why the text of the record may not be changed by an import, or null. */
function findRefusal(
  record: Readonly<Record<string, unknown>>,
  version: Readonly<Record<string, unknown>>,
  row: ArticleRow,
): string | null {
  const status = String(version.status);
  if (status === 'IN_REVIEW' || status === 'APPROVED' || status === 'ARCHIVED') {
    return `The article is ${status} in Trellis and the file differs from it. Bring it back to DRAFT first, or leave the file out.`;
  }
  if (record.state === 'CHANGED') {
    return 'The article has a draft in Trellis beside its published version, and the file differs from it. Publish or discard the draft first.';
  }
  if (row.publication === 'DRAFT' && record.publishedVersionNumber !== null) {
    return 'The file is marked as a draft and has changed, but the article is published. Unpublish it in Trellis first, or publish the file.';
  }
  return null;
}

/** The move that is still to be made, if any. */
function nextStatus(
  record: Readonly<Record<string, unknown>>,
  version: Readonly<Record<string, unknown>>,
  row: ArticleRow,
  edits: boolean,
): Publication | undefined {
  const { status } = version;
  if (row.publication === 'DRAFT' || wasTakenBack(record, version)) return undefined;
  const isFresh = record.publishedVersionNumber === null && (status === 'DRAFT' || status === 'SCHEDULED');
  const isAhead = row.publication === 'SCHEDULED' && status === 'SCHEDULED';
  if (isFresh) return isAhead && !edits ? undefined : row.publication;
  return status === 'PUBLISHED' && edits ? row.publication : undefined;
}

/** Whether there was a published version and there is none now: somebody decided so. */
function wasTakenBack(
  record: Readonly<Record<string, unknown>>,
  version: Readonly<Record<string, unknown>>,
): boolean {
  return (
    record.publishedVersionNumber === null &&
    (version.status === 'UNPUBLISHED' || Number(version.versionNumber) > 1)
  );
}

function findVersionChanges(
  record: Readonly<Record<string, unknown>>,
  version: Readonly<Record<string, unknown>>,
  row: ArticleRow,
): Record<string, unknown> {
  const wanted = withoutForeignNote(groupOf(row.body, 'versionData'), version);
  const { scheduledFor, ...others } = findChanges(version, wanted);
  // What is out already is not published again for its date alone.
  const isMoot = record.publishedVersionNumber !== null && Object.keys(others).length === 0;
  return scheduledFor === undefined || isMoot ? others : { ...others, scheduledFor };
}

/** The wanted fields without a change note that would replace a person's. */
function withoutForeignNote(
  wanted: Readonly<Record<string, unknown>>,
  current: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { changeNote, ...rest } = wanted;
  const isOurs = current.changeNote === null || String(current.changeNote).startsWith(importedNote);
  return changeNote === undefined || !isOurs ? rest : { ...rest, changeNote };
}

/** The wanted values that differ from the current ones; an object counts as wanted when it would change nothing. */
function findChanges(
  current: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => {
      const before = current[name] ?? null;
      return !deepEqual(applyMergePatch(before, value), before);
    }),
  );
}

function groupOf(record: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  const group = record[name];
  return isPlainObject(group) ? group : {};
}
