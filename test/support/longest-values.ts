/** Values of the maximum length of a field, in the characters that need the most space. */
import { randomInt } from 'node:crypto';
import { limits } from '@trellis/schema/resources/limits.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { columnsOf } from '@trellis/server/features/views/query.ts';
import { choosingParameters } from '@trellis/server/kernel/pipeline/list/parameters.ts';

/**
 * Characters for texts: those with the most bytes in UTF-8, in UTF-16 and in a URL, and those that JSON, SQL and the
 * text forms of PostgreSQL escape. Texts begin and end with a letter, because white space there is removed.
 */
export const alphabets: Readonly<Record<string, () => string>> = {
  'outside of the basic plane': () => String.fromCodePoint(0x20000 + randomInt(40_000)),
  ideographs: () => String.fromCodePoint(0x4e00 + randomInt(20_000)),
  'quotes and backslashes': () => '"\\\'{},$'.charAt(randomInt(7)),
  'tabs and line feeds': () => '\t\n'.charAt(randomInt(2)),
};

function textOf(length: number, letter: () => string): string {
  return `a${Array.from({ length: length - 2 }, letter).join('')}z`;
}

const digit = () => randomInt(36).toString(36);
const wide = () => String.fromCodePoint(0x20000 + randomInt(40_000));

/** A domain of at most a number of characters, in labels of 60. */
function domainOf(length: number): string {
  const labels = Array.from({ length: Math.floor((length - 8) / 61) }, () =>
    Array.from({ length: 60 }, digit).join(''),
  );
  return [...labels, 'example'].join('.');
}

/** The longest text of a schema, or null when its format does not allow a choice. */
export function longestText(
  { format, maxLength, pattern, enum: values }: JsonSchema,
  letter: () => string,
): string | null {
  if (typeof maxLength !== 'number' || pattern !== undefined || values !== undefined) return null;
  switch (format) {
    case undefined:
    case 'name':
    case 'external-id':
      return textOf(maxLength, letter);
    case 'label':
    case 'slug':
      return Array.from({ length: maxLength }, wide).join('');
    case 'doi':
      return `10.1000/${Array.from({ length: maxLength - 8 }, wide).join('')}`;
    case 'http-url':
    case 'https-url': {
      const [start, escaped] = [`https://example.com/${Date.now()}`, encodeURIComponent(wide())];
      const path = escaped.repeat(Math.floor((maxLength - start.length) / escaped.length));
      return `${start}${path}`.padEnd(maxLength, digit());
    }
    case 'domain':
    case 'domain-name':
      return domainOf(Math.min(maxLength, 253));
    case 'email-address':
      return `${Array.from({ length: 64 }, digit).join('')}@${domainOf(maxLength - 65)}`;
    case 'locale':
      return `en-x-${Array.from({ length: 3 }, () => Array.from({ length: 8 }, digit).join('')).join('-')}`;
    default:
      return null;
  }
}

/** The longest query of a view: each parameter of the list with its longest text, as far as there is room for it. */
export function longestQuery(resource: Resource, letter: () => string): string {
  const query = new URLSearchParams();
  for (const [name, schema] of Object.entries(choosingParameters(resource))) {
    const value = longestText(schema, letter);
    if (value === null) continue;
    query.set(name, value);
    if (query.toString().length > limits.viewQuery) query.delete(name);
  }
  return query.toString();
}

/** The most columns of a view, those with the longest names. */
export function longestColumns(resource: Resource, maxItems: number): string[] {
  return columnsOf(resource)
    .sort((a, b) => b.length - a.length)
    .slice(0, maxItems);
}
