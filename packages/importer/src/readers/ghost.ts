/** Reads exports of Ghost ("Settings > Import/Export"): its tags, posts and pages. */
import { MalformedJsonError, parseJson } from '@trellis/schema/values/json.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { UsageError } from '../errors.ts';
import { addressColumn, type Source, type SourceRow, type UnreadableRow } from '../source.ts';
import { noBytes, openTableFile, type SourceFile } from './file.ts';
import { htmlToText } from './html-text.ts';
import { type JsonItem, readItems } from './json-items.ts';
import { createRow, formatRejectedRecord, givenFields, SkippedParts } from './record-rows.ts';

type Values = Readonly<Record<string, unknown>>;

/** The tables of an export in which posts are described, besides that of the posts. */
const tables = ['tags', 'users', 'posts_tags', 'posts_authors', 'posts_meta'] as const;
type Table = (typeof tables)[number];
const mostRowsKept = 1_000_000;

/** What posts refer to. */
interface Site {
  /** By id. */
  readonly tags: ReadonlyMap<string, Values>;
  readonly users: ReadonlyMap<string, Values>;
  /** By id of the post, in order. */
  readonly tagsOf: ReadonlyMap<string, readonly string[]>;
  readonly authorsOf: ReadonlyMap<string, readonly string[]>;
  readonly metaOf: ReadonlyMap<string, Values>;
}

/** Opens an export. @throws ImportStopped when it is not complete */
export async function openGhost(file: SourceFile): Promise<Source> {
  const table = openTableFile(file);
  const items = () => readItems(file.name, table.read(), (path) => tableOf(path) !== null);
  const site = await readSite(file.name, items());
  const skipped = new SkippedParts();
  return {
    name: file.name,
    columns: null,
    isPosts: true,
    resources: ['tags', 'articles'],
    keys: { articles: 'the uuid of the post' },
    skipped: skipped.counts,
    total: table.source.total,
    rejectedHeader: noBytes,
    notes: [
      'Posts and pages become articles. Nothing is loaded from the network: pictures keep their addresses, those of the old site without its name (/content/images/…).',
    ],
    formatRejected: formatRejectedRecord,
    async *read() {
      skipped.counts.clear();
      for (const tag of site.tags.values()) {
        if (isInternal(tag)) skipped.add('internal tags');
        else
          yield createRow({
            place: `tag ${text(tag.slug)}`,
            fields: givenFields(nameTag(tag)),
            becomes: 'tags',
          });
      }
      for await (const item of items()) {
        const name = tableOf(item.path);
        if (name === 'posts') yield readPostRow(item, site, skipped);
        else if (name !== null && !(tables as readonly string[]).includes(name))
          skipped.add(`rows of "${name}"`);
      }
    },
  };
}

/** The table whose rows a list has; null for other lists. */
function tableOf(path: string): string | null {
  const [, name = null] = /^(?:\/db\/\*)?\/data\/(\w+)$/.exec(path) ?? [];
  return name;
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

async function readSite(label: string, items: AsyncIterable<JsonItem>): Promise<Site> {
  const rows: Record<Table, Values[]> = {
    tags: [],
    users: [],
    posts_tags: [],
    posts_authors: [],
    posts_meta: [],
  };
  let count = 0;
  for await (const { path, bytes } of items) {
    const name = tables.find((one) => one === tableOf(path));
    const row = name === undefined || bytes === null ? null : parse(bytes);
    if (name === undefined || !isPlainObject(row)) continue;
    count += 1;
    if (count > mostRowsKept)
      throw new UsageError(`${label} has more than ${mostRowsKept} tags, authors and uses of them.`);
    rows[name].push(row);
  }
  const byId = (all: readonly Values[], key = 'id') => new Map(all.map((row) => [text(row[key]), row]));
  const inOrder = (all: readonly Values[], key: string) => {
    const sorted = all.toSorted(
      (left, right) => Number(left.sort_order ?? 0) - Number(right.sort_order ?? 0),
    );
    return new Map(
      [...Map.groupBy(sorted, (row) => text(row.post_id))].map(([id, of]) => [
        id,
        of.map((row) => text(row[key])),
      ]),
    );
  };
  return {
    tags: byId(rows.tags),
    users: byId(rows.users),
    tagsOf: inOrder(rows.posts_tags, 'tag_id'),
    authorsOf: inOrder(rows.posts_authors, 'author_id'),
    metaOf: byId(rows.posts_meta, 'post_id'),
  };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes, { maxDepth: 100 });
  } catch (error) {
    if (error instanceof MalformedJsonError) return error;
    throw error;
  }
}

/** Tags for the theme, which readers do not see. */
function isInternal({ name, visibility }: Values): boolean {
  return visibility === 'internal' || text(name).startsWith('#');
}

function nameTag({ name, slug }: Values) {
  return { name: text(name), slug: text(slug) };
}

function readPostRow(
  { number, bytes }: JsonItem,
  site: Site,
  skipped: SkippedParts,
): SourceRow | UnreadableRow {
  const post = bytes === null ? null : parse(bytes);
  if (!isPlainObject(post)) {
    const reason =
      post instanceof MalformedJsonError
        ? `It is not valid JSON: ${post.reason}.`
        : 'It is too long, or not an object.';
    return { place: `post ${number}`, unreadable: reason, original: noBytes };
  }
  const id = text(post.id);
  const meta = site.metaOf.get(id) ?? {};
  const of = (name: string) => text(post[name]) || text(meta[name]);
  const isPublic =
    ['published', 'scheduled'].includes(text(post.status)) &&
    (text(post.visibility) || 'public') === 'public';
  if (!isPublic && text(post.status) === 'published')
    skipped.add('limits to members, whose posts stay drafts');
  const authors = site.authorsOf.get(id) ?? [text(post.author_id)];
  const tags = (site.tagsOf.get(id) ?? []).flatMap((tag): Values[] => {
    const found = site.tags.get(tag);
    return found === undefined ? [] : [found];
  });
  const body = readBody(post);
  const fields = givenFields({
    title: text(post.title),
    '(file name)': text(post.slug),
    [addressColumn]: text(post.slug),
    summary: htmlToText(of('custom_excerpt')),
    '(body)': body.text,
    bodyFormat: body.format,
    authors: authors.map((author) => text(site.users.get(author)?.name)).filter((name) => name !== ''),
    tags: tags.filter((tag) => !isInternal(tag)).map(nameTag),
    status: isPublic ? 'PUBLISHED' : 'DRAFT',
    date: text(post.status) === 'draft' ? '' : readDate(post.published_at),
    featured: post.featured === true || post.featured === 1,
    locale: text(post.locale),
    canonicalUrl: withoutPlaceholder(of('canonical_url')),
    seo: readSeo(of('meta_title'), of('meta_description')),
    'feature image': withoutPlaceholder(of('feature_image')),
  });
  const type = text(post.type) || (post.page === 1 || post.page === true ? 'page' : 'post');
  return createRow({
    place: `${type} ${text(post.slug) || number}`,
    fields,
    key: `ghost/${text(post.uuid) || id}`,
    becomes: 'articles',
    addresses: [text(post.slug)].filter((slug) => slug !== ''),
  });
}

/** A date, which exports of old releases have in milliseconds since 1970. */
function readDate(value: unknown): string {
  const isTime = typeof value === 'number' && Math.abs(value) < 8.64e15;
  return isTime ? new Date(value).toISOString() : text(value);
}

/** The text: as HTML, else the Markdown of its only card, else without markup. */
function readBody(post: Values): { readonly text: string; readonly format: 'HTML' | 'MARKDOWN' } {
  const html = text(post.html);
  if (html !== '') return { text: withoutPlaceholder(html), format: 'HTML' };
  const markdown = findMarkdown(text(post.mobiledoc)) ?? text(post.markdown);
  return { text: withoutPlaceholder(markdown || text(post.plaintext)), format: 'MARKDOWN' };
}

/** The Markdown of the first card that has it, in a document of the former editor; null without one. */
function findMarkdown(mobiledoc: string): string | null {
  const document = mobiledoc === '' ? null : parse(new TextEncoder().encode(mobiledoc));
  if (!isPlainObject(document) || !Array.isArray(document.cards)) return null;
  for (const card of document.cards as unknown[]) {
    const [name, payload]: unknown[] = Array.isArray(card) ? card : [];
    if ((name === 'markdown' || name === 'card-markdown') && isPlainObject(payload))
      return text(payload.markdown);
  }
  return null;
}

/** Exports have this in place of the address of the site. */
function withoutPlaceholder(content: string): string {
  return content.replaceAll('__GHOST_URL__', '');
}

function readSeo(title: string, description: string): object | null {
  if (title === '' && description === '') return null;
  return { ...(title === '' ? {} : { title }), ...(description === '' ? {} : { description }) };
}
