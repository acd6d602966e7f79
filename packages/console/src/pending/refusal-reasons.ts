/** Why a change was refused, with the names that its fields have in the form. */

import { isGroup, type Resource } from '@trellis/schema/resources/resource.ts';
import { segmentsOf } from '@trellis/schema/values/paths.ts';
import type { Refusal } from '../outbox/store/refusal.ts';
import type { Names } from '../text/names.ts';
import { toProblem } from './problem.ts';

/** What the words are made with. */
export interface ReasonWords {
  readonly names: Pick<Names, 'field' | 'sentence' | 'problem'>;
  /** The place of an item in a list, from 1: `no. 2`. */
  readonly item: (number: number) => string;
}

/**
 * One sentence for each fault: `Emails, no. 2, Address: Must be …`. A refusal without faults says what it was stored with.
 * @param resource the declaration of the record; null when the request is about none
 */
export function reasonsOf(
  refusal: Refusal,
  resource: Resource | null,
  words: ReasonWords,
): readonly string[] {
  const { faults } = toProblem(refusal);
  if (faults.length === 0)
    return refusal.reasons.map((message) => words.names.problem({ code: refusal.code, message }));
  return faults.map(({ pointer, parameter, header, detail }) => {
    const place = describePointer(pointer ?? '', resource, words) || parameter || header;
    const sentence = words.names.sentence(detail);
    return place ? `${place}: ${sentence}` : sentence;
  });
}

/** A JSON pointer (RFC 6901) in words; '' for the whole body. */
export function describePointer(
  pointer: string,
  resource: Resource | null,
  { names, item }: Pick<ReasonWords, 'item'> & { readonly names: Pick<Names, 'field'> },
): string {
  const parts = segmentsOf(pointer);
  const [first = '', ...inner] = parts;
  const declared = resource !== null && Object.hasOwn(resource.fields, first) ? resource.fields[first] : null;
  // The editor of an article names its title, and not the group of fields that it is in.
  const isInGroup = declared != null && isGroup(declared) && inner.length > 0;
  return (isInGroup ? inner : parts)
    .map((part) => (/^\d+$/.test(part) ? item(Number(part) + 1) : names.field(part)))
    .join(', ');
}
