/** Reads exports of WordPress (WXR, "Tools > Export"): categories with their tree, tags, posts and pages. */
import { isSlug, makeSlug } from '@trellis/schema/values/slug.ts';
import { addressColumn, type Source, type SourceRow } from '../source.ts';
import { noBytes, openTableFile, type SourceFile } from './file.ts';
import { htmlToText } from './html-text.ts';
import { lastPartOf } from './post-address.ts';
import { createRow, formatRejectedRecord, givenFields, SkippedParts } from './record-rows.ts';
import { convertBody, findShortcodes } from './wordpress-body.ts';
import { childOf, childrenOf, readElements, textOf, type XmlElement } from './xml.ts';

/** A category or tag. */
interface Term {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  /** Slug of the category above it; '' without one. */
  readonly parent: string;
}

/** What posts refer to. */
interface Blog {
  /** Its host, which tells the posts of several blogs apart. */
  readonly host: string;
  /** Display names by login. */
  readonly authors: ReadonlyMap<string, string>;
  /** By slug. */
  readonly categories: Map<string, Term>;
  readonly tags: Map<string, Term>;
  /** Addresses of attachments by number. */
  readonly attachments: ReadonlyMap<string, string>;
}

const longestSlug = 120;
const longestArticleSlug = 191;
/** Each former slug of a post makes another address of this length. */
const longestLink = 2_048;
const mostAttachments = 500_000;
const imported = ['categories', 'tags', 'articles'] as const;

/** Opens an export. @throws ImportStopped when it is not well-formed */
export async function openWordpress(file: SourceFile): Promise<Source> {
  const table = openTableFile(file);
  const document = () => ({ label: file.name, chunks: table.read() });
  const blog = await readBlog(document());
  const skipped = new SkippedParts();
  return {
    name: file.name,
    columns: null,
    isPosts: true,
    resources: imported,
    keys: { articles: 'the address of the blog and the number of the post' },
    skipped: skipped.counts,
    total: table.source.total,
    rejectedHeader: noBytes,
    notes: [
      'Posts and pages become articles. Nothing is loaded from the network: pictures keep their addresses.',
    ],
    formatRejected: formatRejectedRecord,
    async *read() {
      skipped.counts.clear();
      yield* [...blog.categories.values()].map((term) => toTermRow('categories', term, blog.categories));
      yield* [...blog.tags.values()].map((term) => toTermRow('tags', term, blog.tags));
      for await (const item of readElements(document(), new Set(['item']))) {
        const row = toPostRow(item, blog, skipped);
        if (row !== null) yield row;
      }
    },
  };
}

async function readBlog(document: Parameters<typeof readElements>[0]): Promise<Blog> {
  const authors = new Map<string, string>();
  const categories = new Map<string, Term>();
  const tags = new Map<string, Term>();
  const attachments = new Map<string, string>();
  let host = '';
  let link = '';
  const names = new Set(['item', 'author', 'category', 'tag', 'base_blog_url', 'link']);
  for await (const element of readElements(document, names)) {
    const text = (name: string) => textOf(childOf(element, name)).trim();
    switch (element.name) {
      case 'wp:base_blog_url':
        host = hostOf(textOf(element).trim()) || host;
        break;
      case 'link':
        link ||= hostOf(textOf(element).trim());
        break;
      case 'wp:author':
        authors.set(text('wp:author_login'), htmlToText(text('wp:author_display_name')));
        break;
      case 'wp:category':
        addTerm(
          categories,
          text('wp:cat_name'),
          text('wp:category_nicename'),
          text('wp:category_description'),
          text('wp:category_parent'),
        );
        break;
      case 'wp:tag':
        addTerm(tags, text('wp:tag_name'), text('wp:tag_slug'), text('wp:tag_description'), '');
        break;
      case 'item':
        if (text('wp:post_type') === 'attachment' && attachments.size < mostAttachments) {
          attachments.set(text('wp:post_id'), text('wp:attachment_url'));
        }
        // The export of a part of the posts does not list all their categories.
        for (const { domain, slug, name } of termsOf(element)) {
          if (domain === 'category') addTerm(categories, name, slug, '', '');
          if (domain === 'post_tag' || domain === 'tag') addTerm(tags, name, slug, '', '');
        }
    }
  }
  // Exports of Squarespace have no address but that of the channel.
  return { host: host || link || 'wordpress', authors, categories, tags, attachments };
}

function addTerm(
  terms: Map<string, Term>,
  name: string,
  written: string,
  description: string,
  parent: string,
): void {
  const slug = toSlug(written, name);
  const known = terms.get(slug);
  if (slug === '' || (known !== undefined && known.parent !== '')) return;
  if (known !== undefined && parent === '' && description === '') return;
  terms.set(slug, {
    name: htmlToText(name) || slug,
    slug,
    description: htmlToText(description),
    parent: parent === '' ? '' : toSlug(parent, parent),
  });
}

/** A slug, which WordPress encodes by percent signs outside of ASCII. */
function toSlug(written: string, name: string, longest = longestSlug): string {
  let decoded = written;
  try {
    decoded = decodeURIComponent(written);
  } catch {
    // A percent sign of its own.
  }
  return isSlug(decoded) && decoded.length <= longest ? decoded : makeSlug(decoded || name, longest);
}

function toTermRow(becomes: 'categories' | 'tags', term: Term, all: ReadonlyMap<string, Term>): SourceRow {
  const { name, slug, description, parent } = term;
  const parentId = all.has(parent) ? parent : '';
  const fields = givenFields({ name, slug, ...(becomes === 'categories' ? { description, parentId } : {}) });
  return createRow({ place: `${becomes === 'tags' ? 'tag' : 'category'} ${slug}`, fields, becomes });
}

function termsOf(item: XmlElement) {
  return childrenOf(item, 'category').map((element) => ({
    domain: element.attributes.domain ?? 'category',
    slug: element.attributes.nicename ?? '',
    name: textOf(element).trim(),
  }));
}

/** The row of a post or page; null for other items, which are counted. */
function toPostRow(item: XmlElement, blog: Blog, skipped: SkippedParts): SourceRow | null {
  const text = (name: string) => textOf(childOf(item, name));
  const [type, status, id] = [
    text('wp:post_type') || 'post',
    text('wp:status') || 'publish',
    text('wp:post_id'),
  ];
  const what = findReasonToSkip(type, status);
  if (what !== null) {
    skipped.add(what);
    return null;
  }
  const comments = childrenOf(item, 'wp:comment');
  skipped.add('comments', comments.length);
  const meta = new Map(
    childrenOf(item, 'wp:postmeta').map((one) => [
      textOf(childOf(one, 'wp:meta_key')),
      textOf(childOf(one, 'wp:meta_value')),
    ]),
  );
  const content = text('content:encoded');
  for (const name of findShortcodes(content))
    skipped.add(`posts with the shortcode [${name}], which stays as written`);
  const hasPassword = text('wp:post_password') !== '';
  if (hasPassword) skipped.add('passwords of posts, which stay drafts');
  const isPublic = (status === 'publish' || status === 'future') && !hasPassword;
  // Those of Squarespace are paths such as `blog/basic-post.html`.
  const slug = toSlug(lastPartOf(text('wp:post_name')) ?? text('wp:post_name'), '', longestArticleSlug);
  const terms = (domains: readonly string[], known: ReadonlyMap<string, Term>) =>
    termsOf(item)
      .filter(({ domain }) => domains.includes(domain))
      .flatMap(({ slug: written, name }) => {
        const term = known.get(toSlug(written, name));
        return term === undefined ? [] : [{ name: term.name, slug: term.slug }];
      });
  for (const { domain } of termsOf(item)) {
    if (!['category', 'post_tag', 'tag', 'author'].includes(domain)) skipped.add(`terms of "${domain}"`);
  }
  const address = pathOf(text('link'));
  const former = childrenOf(item, 'wp:postmeta')
    .filter((one) => textOf(childOf(one, 'wp:meta_key')) === '_wp_old_slug')
    .map((one) =>
      withLastPart(address, toSlug(textOf(childOf(one, 'wp:meta_value')), '', longestArticleSlug)),
    );
  const fields = givenFields({
    title: htmlToText(text('title')),
    '(file name)': slug || `${type} ${id}`,
    [addressColumn]: slug,
    summary: htmlToText(text('excerpt:encoded')),
    '(body)': convertBody(content),
    bodyFormat: 'HTML',
    authors: authorsOf(item, blog),
    categories: terms(['category'], blog.categories),
    tags: terms(['post_tag', 'tag'], blog.tags),
    status: isPublic ? 'PUBLISHED' : 'DRAFT',
    date: isPublic || status === 'private' || hasPassword ? readDate(item) : '',
    allowComments: text('wp:comment_status') === 'open',
    featured: text('wp:is_sticky') === '1',
    seo: readSeo(meta),
    'cover picture': blog.attachments.get(meta.get('_thumbnail_id') ?? '') ?? '',
  });
  return createRow({
    place: `${type} ${id}`,
    fields,
    key: `${blog.host}/?p=${id}`,
    becomes: 'articles',
    addresses: [...new Set([address, ...former])].filter((path) => path !== ''),
  });
}

/** The names of the authors: those that the plugin Co-Authors Plus keeps as terms, else the creator. */
function authorsOf(item: XmlElement, { authors }: Blog): string[] {
  const terms = termsOf(item).filter(({ domain }) => domain === 'author');
  const logins =
    terms.length > 0
      ? terms.map(({ name, slug }) => [name, slug.replace(/^cap-/, '')])
      : [[textOf(childOf(item, 'dc:creator')).trim()]];
  const names = logins.map((all) => all.map((login) => authors.get(login)).find(Boolean) ?? all[0] ?? '');
  return [...new Set(names)].filter((name) => name !== '');
}

function findReasonToSkip(type: string, status: string): string | null {
  if (type === 'attachment') return 'attachments, which stay at their address';
  if (type !== 'post' && type !== 'page') return `items of the type "${type}"`;
  if (status === 'trash') return `${type}s in the trash`;
  return status === 'auto-draft' || status === 'inherit' ? `${type}s with the status "${status}"` : null;
}

/** The date in UTC; drafts have zeros. */
function readDate(item: XmlElement): string {
  const isDate = (text: string) => text !== '' && !text.startsWith('0000');
  const universal = textOf(childOf(item, 'wp:post_date_gmt')).trim();
  if (isDate(universal)) return `${universal.replace(' ', 'T')}Z`;
  const local = textOf(childOf(item, 'wp:post_date')).trim();
  if (isDate(local)) return local;
  // RFC 822, of programs that write nothing else. WordPress writes the year -0001 for drafts.
  const published = Date.parse(textOf(childOf(item, 'pubDate')));
  return published > 0 ? new Date(published).toISOString() : '';
}

/** The title and description for search engines, as the most common plugins keep them, without those made of patterns. */
function readSeo(meta: ReadonlyMap<string, string>): object | null {
  const find = (...keys: readonly string[]) =>
    keys.map((key) => meta.get(key) ?? '').find((text) => text !== '' && !/%%|%\w+%/.test(text));
  const title = find('_yoast_wpseo_title', 'rank_math_title', '_aioseo_title');
  const description = find('_yoast_wpseo_metadesc', 'rank_math_description', '_aioseo_description');
  if (title === undefined && description === undefined) return null;
  return { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
}

/** The address with another slug at its end, which WordPress redirects to it; '' without a slug. */
export function withLastPart(address: string, slug: string): string {
  if (slug === '') return '';
  if (address === '') return `/${slug}/`;
  const end = address.endsWith('/') ? address.length - 1 : address.length;
  const start = address.lastIndexOf('/', end - 1) + 1;
  return start === end ? address : `${address.slice(0, start)}${slug}${address.slice(end)}`;
}

/** The host and path of the address of a blog, without slashes at the end. */
export function hostOf(address: string): string {
  const host = address.replace(/^https?:\/\//, '');
  let end = host.length;
  // By hand: a regular expression would look for the end again from each slash.
  while (host[end - 1] === '/') end -= 1;
  return host.slice(0, end);
}

/**
 * `/2015/03/old-post/` of the address of a post, which may be relative; '' for one without a path of its own, or a longer one than there
 * are.
 */
function pathOf(link: string): string {
  const isPath = /^\/(?!\/)/.test(link);
  if (link.length > longestLink || !(isPath || URL.canParse(link))) return '';
  // Several slashes at the beginning would make it the address of another server.
  const path = new URL(link, 'http://localhost').pathname.replace(/^\/+/, '/');
  return path === '/' ? '' : path;
}
