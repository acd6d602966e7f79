/** The addresses of posts in the site that they come from: that of front matter, otherwise the name of the file. */
import { canonicalizeLocale } from '@trellis/schema/values/locale.ts';

/** A day, and perhaps a time, that site generators put before the name of a file. */
const dateBeforeName = /^\d{4}-\d{1,2}-\d{1,2}(?:T[\d:.-]+Z?)?[-_]+(?=.)/;
/** Files whose folder has the name of the post. */
const indexName = /^_?index$/i;
/** A language before the ending: `hello.de.md`, `index.pt-br.md`. */
const languageEnding = /^(.+)\.([a-z]{2}(?:[-_][a-z]{2,4})?)$/i;
const lastEnding = /\.[^.]+$/;
/** Endings of pages, which are no part of a name. */
const pageEnding = /\.(?:html?|php|aspx?)$/i;

/** What the path of a file says of its post. */
export interface PathOfPost {
  /** `hello` for `_posts/2018-01-04-hello.md` and `hello/index.md`, `hello-de` for the translation `hello.de.md`. */
  readonly name: string;
  /** `de` for `hello.de.md` and `index.de.md`; null without one. */
  readonly language: string | null;
  /** Whether it is in a folder of drafts, as in Jekyll. */
  readonly isDraft: boolean;
}

/**
 * Reads the path of a file.
 * @param stems the paths of all files without their endings and languages, with how many files have each: `node.js.md` alone is in no
 *   language
 */
export function readPath(path: string, stems: ReadonlyMap<string, number>): PathOfPost {
  const folders = path.split('/');
  const file = folders.pop() ?? '';
  const { stem, language } = readFileName(file);
  const isTranslated = language !== null && (stems.get(stemOf(path)) ?? 0) > 1;
  const isIndex = indexName.test(stem);
  const hasLanguage = isTranslated || (language !== null && isIndex);
  const own = hasLanguage ? stem : file.replace(lastEnding, '');
  const name = (isIndex ? (folders.at(-1) ?? own) : own).replace(dateBeforeName, '');
  return {
    name: isTranslated ? `${name}-${language}` : name,
    language: hasLanguage ? language : null,
    isDraft: folders.includes('_drafts'),
  };
}

/** The path of a file without its ending and language. */
export function stemOf(path: string): string {
  const at = path.lastIndexOf('/') + 1;
  return path.slice(0, at) + readFileName(path.slice(at)).stem;
}

function readFileName(file: string): { readonly stem: string; readonly language: string | null } {
  const name = file.replace(lastEnding, '');
  const [, stem = '', language = ''] = languageEnding.exec(name) ?? [];
  const tag = stem === '' ? null : canonicalizeLocale(language.replace('_', '-'));
  return tag === null ? { stem: name, language: null } : { stem, language: tag.toLowerCase() };
}

/** Names of front matter with the address of a post, the most exact first. */
const addressNames = ['permalink', 'url', 'path'];
/** Names of front matter with former addresses. */
const formerNames = ['aliases', 'alias', 'redirect_from', 'redirectFrom', 'redirects'];

/** The addresses that front matter gives: texts without templates, such as `/2015/03/04/hello/`. */
export interface GivenAddresses {
  /** That of the post; null without one. */
  readonly address: string | null;
  /** Former ones. */
  readonly former: readonly string[];
  /** The names of front matter that they come from. */
  readonly names: ReadonlySet<string>;
}

/** Reads the addresses in front matter. */
export function readAddresses(metadata: Readonly<Record<string, unknown>>): GivenAddresses {
  const listOf = (names: readonly string[]) =>
    names.flatMap((name) => {
      const value = metadata[name];
      const items = Array.isArray(value) ? value : [value];
      return items.flatMap((item) => {
        const address = readAddress(item);
        return address === null ? [] : [{ name, address }];
      });
    });
  const given = listOf(addressNames);
  const former = listOf(formerNames);
  return {
    address: given[0]?.address ?? null,
    former: [...new Set([...given.slice(1), ...former].map(({ address }) => address))],
    names: new Set([...given, ...former].map(({ name }) => name)),
  };
}

/** An address; null for what generators compute, such as `/:year/:title/` and `{{ page.fileSlug }}/`, and for `false`. */
function readAddress(value: unknown): string | null {
  if (typeof value !== 'string' || /^(?:\s*|true|false)$/i.test(value)) return null;
  return /(?:^|\/):\w|\{[{%]|<%/.test(value) ? null : value.trim();
}

/** The last part of an address as it is written, without an ending of pages; null where there is none. */
export function lastPartOf(address: string): string | null {
  const [path = ''] = address.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, '').split(/[?#]/);
  const parts = path.split('/').filter((part) => part !== '');
  const last = parts.at(-1)?.replace(pageEnding, '') ?? '';
  const name = indexName.test(last) ? parts.at(-2) : last;
  if (name === undefined || name === '') return null;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
