/** Entity tags (RFC 9110, 8.8.3 and 13.1): how a caller names a version of a record, and the conditions that are made of them. */
import { Problem } from '@trellis/schema/problem.ts';

/** A parsed If-Match or If-None-Match header. */
export interface EntityTags {
  /** `*`: any existing record. */
  readonly any: boolean;
  /** Opaque parts of the tags, without quotes. */
  readonly strong: readonly string[];
  readonly weak: readonly string[];
}

/** The conditions of a request. */
export interface Preconditions {
  readonly ifMatch: EntityTags | undefined;
  readonly ifNoneMatch: EntityTags | undefined;
}

/**
 * One element of a list, with the comma behind it. It may be empty (RFC 9110, 5.6.1.2), and commas may stand inside the quotes of a tag.
 * Blanks have one place each, so that a long run of them is read once.
 */
const element = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(,|$)/y;

/**
 * Suffixes that compressing servers append to a tag: `-gzip` and `-br` (Apache, Caddy, lighttpd), `--gzip` (Jetty), `;gzip` and `;br`
 * (content delivery networks). Two in a chain append two.
 */
const codingSuffix = /(?:(?:--?|[;:+])(?:x-gzip|gzip|br|zstd|deflate|compress)){1,2}$/i;

/** Suffix of the tag of a response that includes other records. */
const includedSuffix = /;included=[0-9a-f]{32}/;

/** The entity tag of a version of a record: strong, because a version determines the record. */
export function entityTag(version: number): string {
  return `"${version}"`;
}

/** The version in an entity tag of this server. */
export function versionOf(tag: string): number {
  return Number(tag.slice(1, -1));
}

/**
 * Parses the header; undefined when it is absent.
 * @throws Problem invalid_header
 */
export function readEntityTags(name: string, header: string | undefined): EntityTags | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (text === '*') return { any: true, strong: [], weak: [] };
  const strong: string[] = [];
  const weak: string[] = [];
  element.lastIndex = 0;
  let isComplete = false;
  while (!isComplete) {
    const found = element.exec(text);
    if (found === null) break;
    const [, isWeak, opaque, comma] = found;
    if (opaque !== undefined) (isWeak === undefined ? strong : weak).push(opaque);
    isComplete = comma === '';
  }
  if (isComplete && strong.length + weak.length > 0) return { any: false, strong, weak };
  throw new Problem('invalid_header', undefined, {
    errors: [{ header: name, code: 'format', detail: 'Must be * or a list of quoted entity tags.' }],
  });
}

/** The conditions of a request. @throws Problem invalid_header */
export function readPreconditions(headers: {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
}): Preconditions {
  return {
    ifMatch: readEntityTags('If-Match', headers['if-match']),
    ifNoneMatch: readEntityTags('If-None-Match', headers['if-none-match']),
  };
}

/**
 * If-None-Match, by weak comparison, for which tags that a proxy made of ours are the same: whether the caller's copy is current.
 * @param opaque the current tag without quotes; null if what is asked for has none, so that only `*` names it
 */
export function matchesWeakly(tags: EntityTags, opaque: string | null): boolean {
  if (tags.any || opaque === null) return tags.any;
  return [...tags.strong, ...tags.weak].some(
    (tag) => tag === opaque || tag.replace(codingSuffix, '') === opaque,
  );
}

/** If-Match, by strong comparison: where a tag names bytes. */
export function matchesStrongly(tags: EntityTags, opaque: string): boolean {
  return tags.any || tags.strong.includes(opaque);
}

/**
 * Checks the preconditions of a write against the version of the record. A tag that a proxy has weakened or marked with a coding still
 * matches, because only the version matters, not the transferred bytes or included records.
 * @param content the strong tag of other content that the request may name, such as the content that an upload replaces
 * @throws Problem version_mismatch
 */
export function checkVersion(
  { ifMatch, ifNoneMatch }: Preconditions,
  version: number,
  content: string | null = null,
): void {
  const refuse = (detail: string) =>
    new Problem('version_mismatch', detail, {
      members: { currentVersion: version },
      headers: { etag: entityTag(version) },
    });
  const versionsOf = ({ any, strong, weak }: EntityTags): EntityTags => {
    const [ofStrong, ofWeak] = [strong, weak].map((all) => all.map((tag) => tag.replace(includedSuffix, '')));
    return { any, strong: ofStrong ?? [], weak: ofWeak ?? [] };
  };
  const matches = (tags: EntityTags) =>
    matchesWeakly(versionsOf(tags), String(version)) || (content !== null && matchesStrongly(tags, content));
  if (ifMatch !== undefined && !matches(ifMatch)) throw refuse(`The record is at version ${version}.`);
  if (ifNoneMatch !== undefined && matches(ifNoneMatch))
    throw refuse(`The record is at version ${version}, which \`If-None-Match\` excludes.`);
}
