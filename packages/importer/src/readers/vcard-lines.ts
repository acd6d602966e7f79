/** Properties of vCards 2.1, 3.0 (RFC 2426) and 4.0 (RFC 6350), one by one, so that a property in error costs no other. */
import { decodeUtf8 } from '@trellis/schema/values/utf8.ts';

/** A property of a card. */
export interface CardProperty {
  /** Joins a property with its label, as in `item1.X-ABLabel`; '' without one. */
  readonly group: string;
  /** In capitals. */
  readonly name: string;
  /** In lower case: what `TYPE` lists, also without its name as in version 2.1. */
  readonly types: readonly string[];
  /** Whether it is preferred over others. */
  readonly isPreferred: boolean;
  /** The value as written, without transfer encoding; null for binary content. */
  readonly value: string | null;
}

/** The text of a card: UTF-8, else Windows-1252, in which old programs write. */
export function decodeCard(bytes: Uint8Array): string {
  return decodeUtf8(bytes) ?? new TextDecoder('windows-1252').decode(bytes);
}

/** Joins lines that were folded (RFC 6350, 3.2), and those that quoted-printable divides. */
export function unfold(lines: readonly string[]): string[] {
  const unfolded: string[][] = [];
  let isDivided = false;
  let isQuoted = false;
  for (const line of lines) {
    const parts = unfolded.at(-1);
    const isFolded = /^[ \t]/.test(line);
    if (parts !== undefined && isDivided) parts.push(line);
    else if (parts !== undefined && isFolded) parts.push(line.slice(1));
    else if (line.trim() !== '') {
      unfolded.push([line]);
      isQuoted = line
        .slice(0, Math.max(0, line.indexOf(':')))
        .toLowerCase()
        .includes('quoted-printable');
    }
    isDivided = isQuoted && line.endsWith('=');
    const last = unfolded.at(-1);
    if (isDivided && last !== undefined) last.push((last.pop() ?? '').slice(0, -1));
  }
  return unfolded.map((parts) => parts.join(''));
}

/** Parses a line; null when it is none of a card. */
export function parseProperty(line: string): CardProperty | null {
  const end = indexOutsideQuotes(line, ':');
  if (end < 0) return null;
  const [head = '', ...parameters] = splitOutsideQuotes(line.slice(0, end), ';');
  const at = head.indexOf('.');
  const parsed = parameters.map(parseParameter);
  const valuesOf = (name: string) =>
    parsed.filter((one) => one.name === name).flatMap(({ values }) => values);
  const types = valuesOf('TYPE').map((type) => type.toLowerCase());
  const encoding = [...valuesOf('ENCODING'), ...types].map((one) => one.toLowerCase());
  const value = line.slice(end + 1);
  const isBinary = encoding.includes('b') || encoding.includes('base64') || /^data:/i.test(value);
  const isQuoted = encoding.includes('quoted-printable');
  return {
    group: head.slice(0, Math.max(at, 0)).toLowerCase(),
    name: head
      .slice(at + 1)
      .trim()
      .toUpperCase(),
    types: types.filter((type) => !['quoted-printable', 'base64', '8bit', '7bit'].includes(type)),
    isPreferred: types.includes('pref') || valuesOf('PREF').includes('1'),
    value: isBinary ? null : isQuoted ? decodeQuoted(value, valuesOf('CHARSET')[0] ?? 'utf-8') : value,
  };
}

function parseParameter(text: string): { readonly name: string; readonly values: readonly string[] } {
  const at = text.indexOf('=');
  const name = at < 0 ? 'TYPE' : text.slice(0, at).trim().toUpperCase();
  const values = splitOutsideQuotes(text.slice(at + 1), ',').flatMap((value) => {
    const isQuoted = /^\s*".*"\s*$/.test(value);
    // Version 4 quotes lists as a whole: TYPE="voice,home".
    const plain = (isQuoted ? value.trim().slice(1, -1) : value.trim()).replaceAll(
      /\^([n'^])/g,
      (_, sign: string) => (sign === 'n' ? '\n' : sign === "'" ? '"' : '^'),
    );
    return name === 'TYPE' ? plain.split(',') : [plain];
  });
  return { name, values };
}

function decodeQuoted(value: string, charset: string): string {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [part, code] of value.matchAll(/=([0-9A-Fa-f]{2})|[\s\S]/gu)) {
    if (code === undefined) bytes.push(...encoder.encode(part));
    else bytes.push(Number.parseInt(code, 16));
  }
  const all = new Uint8Array(bytes);
  try {
    return new TextDecoder(charset, { fatal: true }).decode(all);
  } catch {
    return decodeCard(all);
  }
}

function indexOutsideQuotes(text: string, sign: string): number {
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (!isQuoted && text[at] === sign) return at;
  }
  return -1;
}

function splitOutsideQuotes(text: string, sign: string): string[] {
  const parts: string[] = [];
  let rest = text;
  for (let at = indexOutsideQuotes(rest, sign); at >= 0; at = indexOutsideQuotes(rest, sign)) {
    parts.push(rest.slice(0, at));
    rest = rest.slice(at + 1);
  }
  return [...parts, rest];
}

/** The components of a value, divided at semicolons or commas that have no backslash before them. */
export function splitValue(value: string, separator: ';' | ','): string[] {
  const parts = [''];
  for (const [part] of value.matchAll(/\\[\s\S]|[\s\S]/gu)) {
    if (part === separator) parts.push('');
    else parts[parts.length - 1] += part;
  }
  return parts.map((part) => unescapeValue(part));
}

/** A text value without its backslashes. */
export function unescapeValue(text: string): string {
  return text.replaceAll(/\\([\s\S])/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign)).trim();
}
