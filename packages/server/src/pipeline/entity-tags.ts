/** Entity tags (RFC 9110, 8.8.3 and 13.1): how a caller names a version of a record. */
import { Problem } from '@trellis/schema/problem.ts';

/** A parsed If-Match or If-None-Match header. */
export interface EntityTags {
  /** `*`: any existing record. */
  readonly any: boolean;
  /** Opaque parts of the tags, without quotes. */
  readonly strong: readonly string[];
  readonly weak: readonly string[];
}

/** One tag; commas may stand inside its quotes. */
const tag = '(W/)?"([\\x21\\x23-\\x7e\\x80-\\xff]*)"';
const tags = new RegExp(tag, 'g');
const tagList = new RegExp(`^${tag}(?:[ \\t]*,[ \\t]*${tag})*$`);

/** The entity tag of a version of a record: strong, because a version determines the record. */
export function entityTag(version: number): string {
  return `"${version}"`;
}

/**
 * Parses the header; undefined when it is absent.
 * @throws Problem invalid_header
 */
export function readEntityTags(name: string, header: string | undefined): EntityTags | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (text === '*') return { any: true, strong: [], weak: [] };
  if (!tagList.test(text)) {
    throw new Problem('invalid_header', undefined, {
      errors: [{ header: name, code: 'format', detail: 'Must be * or a list of quoted entity tags.' }],
    });
  }
  const strong: string[] = [];
  const weak: string[] = [];
  for (const [, isWeak, opaque = ''] of text.matchAll(tags)) {
    (isWeak === undefined ? strong : weak).push(opaque);
  }
  return { any: false, strong, weak };
}

/** If-None-Match, by weak comparison: whether the caller's copy is current. */
export function isCurrent(tags: EntityTags | undefined, opaque: string): boolean {
  return tags !== undefined && (tags.any || tags.strong.includes(opaque) || tags.weak.includes(opaque));
}
