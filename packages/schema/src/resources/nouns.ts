/** Resources and their records in sentences. */
import type { Resource } from './resource.ts';

/** The plural noun for records of a resource in sentences. */
export function labelOf({ name, label }: Pick<Resource, 'name' | 'label'>): string {
  return label ?? nounOf(name);
}

/** The noun for a record, or for records, in a sentence: `knowledge file` for `knowledge-file`. */
export function nounOf(name: string): string {
  return name.replaceAll('-', ' ');
}

/** A noun with its indefinite article: `an article`, `a knowledge file`. */
export function withArticle(name: string): string {
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${nounOf(name)}`;
}

/** Words in a sentence: `articles, books and issues`. @param and the conjunction, in another language */
export function joinWords(words: readonly string[], and = 'and'): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${and} ${last}`;
}

/** A number of records in a sentence: `1 book`, `3 knowledge files`. */
export function countOf(resource: Pick<Resource, 'singular' | 'name'>, count: number): string {
  return `${count} ${nounOf(count === 1 ? resource.singular : resource.name)}`;
}
