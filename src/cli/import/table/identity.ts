/**
 * Why: a second run must find what the first one made. A row without a key of its own gets one from what tells its record
 * from all others, so that the same row is the same record however often and in whatever order it is imported.
 */
import { createHash } from 'node:crypto';
import { canonicalizeJson } from '../../../lib/canonical-json.ts';
import { normalizeEmail } from '../../../lib/email.ts';
import { foldText } from '../../../lib/text.ts';
import type { Resource } from '../../../resources/resource.ts';
import { valueAt } from '../body.ts';
import { particularsOf } from './particulars.ts';

const hashLength = 32;
/** Bytes of a hash that stands for a key in memory: two different keys never share it by chance. */
const keyHashBytes = 12;

/**
 * The externalId of a row without one: a hash of its identifying fields, of the resource and of the parent.
 * @param body in stored form
 * @returns null when the row has none of the identifying fields
 */
export function deriveRowKey(
  resource: Resource,
  parentId: string,
  body: Readonly<Record<string, unknown>>,
): string | null {
  for (const names of particularsOf(resource).identity) {
    const values = names.map((name) => simplify(firstOf(name, valueAt(body, name))));
    if (
      values.some((value) => value === null || value === '' || (Array.isArray(value) && value.length === 0))
    )
      continue;
    const content = canonicalizeJson([resource.name, parentId, names, values]);
    return `import-${createHash('sha256').update(content).digest('hex').slice(0, hashLength)}`;
  }
  return null;
}

/** A person with a second address is still the same person. */
function firstOf(name: string, value: unknown): unknown {
  return Array.isArray(value) && (name === 'emails' || name === 'domains' || name === 'phones')
    ? value.slice(0, 1)
    : value;
}

/** Letter case does not make another record; of lists of objects only what names them counts. */
function simplify(value: unknown): unknown {
  if (typeof value === 'string') return foldText(value);
  if (Array.isArray(value)) return value.map(nameOf);
  return value ?? null;
}

function nameOf(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return simplify(item);
  const { name, address, number } = item as Readonly<Record<string, unknown>>;
  return simplify(name ?? address ?? number ?? item);
}

/** Values of which no two records may have the same, as texts such as `isbn13 9780141439471`. */
export function uniqueValues(
  resource: Resource,
  parentId: string,
  body: Readonly<Record<string, unknown>>,
): string[] {
  const single = [
    ...Object.keys(resource.unique),
    ...(resource.name === 'magazines' ? ['issnPrint', 'issnOnline'] : []),
  ];
  const values = single.flatMap((name): string[] => {
    const value = valueAt(body, name);
    if (typeof value !== 'string' || name === 'externalId') return [];
    return [`${name.replace(/^issn.*/, 'ISSN')} "${value}"`];
  });
  return [...values, ...listValues(body)].map(
    (value) => `${value}${resource.parent === null ? '' : ` in ${parentId}`}`,
  );
}

function listValues({ emails, domains }: Readonly<Record<string, unknown>>): string[] {
  const addresses = Array.isArray(emails)
    ? emails.map((email) => String((email as { address?: unknown }).address))
    : [];
  return [
    ...addresses.map((address) => `e-mail address "${normalizeEmail(address) ?? address}"`),
    ...(Array.isArray(domains) ? domains.map((domain) => `domain "${String(domain)}"`) : []),
  ];
}

/** A short text that stands for a long one in memory. */
export function hashKey(text: string): string {
  return createHash('sha256').update(text).digest().toString('latin1', 0, keyHashBytes);
}
