/** Reads vCards (versions 2.1 to 4.0), as address books export them: people with their ways to be reached. */
import type { Source, SourceRow, UnreadableRow } from '../source.ts';
import { concatenate, noBytes, openTableFile, type SourceFile, splitLines } from './file.ts';
import { createRow, formatRejectedRecord, givenFields, SkippedParts } from './record-rows.ts';
import {
  type CardProperty,
  decodeCard,
  parseProperty,
  splitValue,
  unescapeValue,
  unfold,
} from './vcard-lines.ts';

const mostCardBytes = 16_777_216;
const lineEnd = new Uint8Array([0x0a]);
/** Properties about the card itself, or with a form that another property has too. */
const ignored = new Set([
  'BEGIN',
  'END',
  'VERSION',
  'PRODID',
  'REV',
  'FN',
  'N',
  'SOURCE',
  'LABEL',
  'AGENT',
  'CLIENTPIDMAP',
  'KIND',
  'X-ABLABEL',
  'X-ABADR',
  'X-ABSHOWAS',
  'X-ABUID',
  'PROFILE',
  'NAME',
  'MAILER',
  'SORT-STRING',
  'CLASS',
]);
const longestOther = 1_000;

/** Opens a file with any number of cards. */
export function openVcard(file: SourceFile): Source {
  const table = openTableFile(file);
  const skipped = new SkippedParts();
  return {
    ...table.source,
    columns: null,
    resources: ['contacts'],
    skipped: skipped.counts,
    rejectedHeader: noBytes,
    formatRejected: formatRejectedRecord,
    async *read() {
      skipped.counts.clear();
      for await (const { line, lines } of readCards(table.read())) {
        const row = readCard(line, lines, skipped);
        if (row !== null) yield row;
      }
    },
  };
}

interface Card {
  /** Number of its first line. */
  readonly line: number;
  /** Null when it is too large or not complete. */
  readonly lines: readonly string[] | null;
}

/** The cards; those within another one belong to it and are left out. */
async function* readCards(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Card> {
  let parts: Uint8Array[] = [];
  let [number, begin, depth, bytes] = [0, 0, 0, 0];
  for await (const line of splitLines(chunks)) {
    number += 1;
    // A line that is too long is a picture.
    const text = line === null ? '' : decodeCard(line.subarray(0, 40)).trim().toUpperCase();
    if (text === 'BEGIN:VCARD') {
      depth += 1;
      if (depth === 1) [parts, bytes, begin] = [[], 0, number];
    } else if (text === 'END:VCARD' && depth > 0) {
      depth -= 1;
      if (depth > 0) continue;
      const isTooLarge = bytes > mostCardBytes;
      yield { line: begin, lines: isTooLarge ? null : decodeCard(concatenate(parts)).split(/\r?\n/) };
    } else if (depth === 1 && line !== null) {
      bytes += line.length;
      if (bytes <= mostCardBytes) parts.push(line, lineEnd);
    }
  }
  if (depth > 0) yield { line: begin, lines: null };
}

function readCard(
  line: number,
  lines: Card['lines'],
  skipped: SkippedParts,
): SourceRow | UnreadableRow | null {
  const place = `line ${line}`;
  if (lines === null)
    return { place, unreadable: 'The card has no end, or is too large.', original: noBytes };
  const properties = unfold(lines).flatMap((one) => parseProperty(one) ?? []);
  const first = (name: string) => properties.find((one) => one.name === name)?.value ?? '';
  if (/^group$/i.test(first('KIND') || first('X-ADDRESSBOOKSERVER-KIND'))) {
    skipped.add('groups');
    return null;
  }
  const binary = properties.filter(({ value }) => value === null);
  for (const { name } of binary) skipped.add(name === 'PHOTO' ? 'photos' : `contents of ${name}`);
  const ofName = (name: string) =>
    properties.filter(
      (one): one is GivenProperty =>
        one.name === name && one.value !== null && unescapeValue(one.value) !== '',
    );
  const labels = new Map(
    ofName('X-ABLABEL').map(({ group, value }) => [
      group,
      value.replace(/^_\$!<(.*)>!\$_$/, '$1').toLowerCase(),
    ]),
  );
  const fields = givenFields({
    ...readName(first('N'), first('FN')),
    ...readWork(ofName('ORG'), first('TITLE'), first('ROLE')),
    ...list(ofName('EMAIL'), 'emails', (property) => ({
      address: unescapeValue(property.value).replace(/^mailto:/i, ''),
      label: labelOf(property, labels),
    })),
    ...list(ofName('TEL'), 'phones', (property) => ({
      number: readPhone(property.value),
      label: labelOf(property, labels),
    })),
    ...list(ofName('ADR'), 'addresses', ({ value }) => readAddress(value)),
    tags: ofName('CATEGORIES').flatMap(({ value }) => splitValue(value, ',')),
    notes: ofName('NOTE')
      .map(({ value }) => unescapeValue(value))
      .join('\n\n'),
    locale: unescapeValue(first('LANG')),
    timezone: /^[A-Za-z_]+\/[\w/+-]+$/.test(first('TZ')) ? first('TZ') : '',
    externalId: unescapeValue(first('UID')).replace(/^urn:uuid:/i, ''),
    ...readOthers(properties),
  });
  return createRow({ place, fields, becomes: 'contacts' });
}

type GivenProperty = CardProperty & { readonly value: string };

/** First and last name; the name as shown only where those are not given. */
function readName(structured: string, formatted: string): Record<string, string> {
  const [last = '', first = '', middle = '', prefix = '', suffix = ''] = splitValue(structured, ';');
  const firstName = [first, middle].filter((part) => part !== '').join(' ');
  if (last === '' && firstName === '') return { fullName: unescapeValue(formatted) };
  return { firstName, lastName: last, 'name prefix': prefix, 'name suffix': suffix };
}

function readWork(
  organizations: readonly GivenProperty[],
  title: string,
  role: string,
): Record<string, string> {
  const [company = '', ...departments] = splitValue(organizations[0]?.value ?? '', ';');
  const [jobTitle, work] = [unescapeValue(title), unescapeValue(role)];
  return {
    'companies.name': company,
    ...(company !== '' && jobTitle !== '' ? { 'companies.role': work } : {}),
    department: departments.filter((part) => part !== '').join(', '),
    jobTitle: jobTitle || work,
  };
}

/** The columns of a list, such as `emails 2 label`; preferred items come first. */
function list(
  properties: readonly GivenProperty[],
  field: string,
  read: (property: GivenProperty) => Readonly<Record<string, string>>,
): Record<string, string> {
  const ordered = [
    ...properties.filter((one) => one.isPreferred),
    ...properties.filter((one) => !one.isPreferred),
  ];
  return Object.fromEntries(
    ordered.flatMap((property, index) =>
      Object.entries(read(property)).map(([member, value]) => [`${field} ${index + 1} ${member}`, value]),
    ),
  );
}

/** Names of types that mean nothing to people. */
const technical = new Set([
  'internet',
  'pref',
  'voice',
  'x400',
  'msg',
  'text',
  'dom',
  'intl',
  'postal',
  'parcel',
  'x-internet',
]);
const shownTypes: ReadonlyMap<string, string> = new Map([
  ['cell', 'mobile'],
  ['iphone', 'mobile'],
]);

/** `work`, `mobile`, `work fax`, or the label that the person gave. */
function labelOf({ types, group }: CardProperty, labels: ReadonlyMap<string, string>): string {
  const own = group === '' ? undefined : labels.get(group);
  const words = types.filter((type) => !technical.has(type)).map((type) => shownTypes.get(type) ?? type);
  return own ?? [...new Set(words)].join(' ');
}

/** A number, also of the form `tel:+1-555-0100;ext=7` (RFC 3966). */
function readPhone(value: string): string {
  const text = unescapeValue(value);
  const [, number, extension] = /^tel:([^;]+)(?:.*;ext=([^;]+))?/i.exec(text) ?? [];
  if (number === undefined) return text;
  return extension === undefined ? number : `${number} ext. ${extension}`;
}

function readAddress(value: string): Record<string, string> {
  const [box = '', extended = '', street = '', city = '', region = '', postalCode = '', country = ''] =
    splitValue(value, ';').map((part) =>
      part
        .split('\n')
        .map((line) => line.trim())
        .join(', '),
    );
  return {
    street: [street, extended, box].filter((part) => part !== '').join(', '),
    city,
    region,
    postalCode,
    country,
  };
}

/** Properties that no field has, under their own name, so that the report says that they were not imported. */
function readOthers(properties: readonly CardProperty[]): Record<string, string> {
  const taken = new Set([
    ...ignored,
    'ORG',
    'TITLE',
    'ROLE',
    'EMAIL',
    'TEL',
    'ADR',
    'CATEGORIES',
    'NOTE',
    'LANG',
    'TZ',
    'UID',
  ]);
  return Object.fromEntries(
    properties.flatMap(({ name, value }) =>
      value === null || taken.has(name) ? [] : [[name, unescapeValue(value).slice(0, longestOther)]],
    ),
  );
}
