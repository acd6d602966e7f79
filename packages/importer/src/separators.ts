/** What separates the names and the subjects in the cells of a column. Names contain commas, and subjects do as well. */
import { foldText } from '@trellis/schema/values/text.ts';

/** A separator by its name; `and` is also `&`, `colons` is the ` ::: ` of Google Contacts, and `none` leaves cells whole. */
export const separators = ['colons', 'semicolon', 'comma', 'and', 'bar', 'line', 'none'] as const;
export type Separator = (typeof separators)[number];

/** A part after a comma that belongs to the name before it: a suffix, the years of a life, a role in a catalogue, the form of a company. */
const nameSuffix =
  /^(?:jr|sr|junior|senior|i{2,3}|iv|ph\.?\s?d|m\.?\s?d|esq|m\.?a|b\.?a|inc|ltd|llc|corp|co|gmbh|ag|kg|plc|e\.?\s?v|a\.?\s?c|s\.?\s?a|s\.?\s?l|s\.?\s?r\.?\s?l|b\.?\s?v|n\.?\s?v)\.?$/i;
const years =
  /^(?:ca?\.? ?|b\. ?|d\. ?|geb\. ?|gest\. ?)?\d{3,4}\??(?: ?[-–] ?(?:ca?\.? ?)?(?:\d{3,4}\??)?)?\.?$/;
const role =
  /^(?:joint )?(?:author|editor|ed|eds|translator|trans|illustrator|contributor|compiler|narrator|creator|writer of .*|verfasser(?:in)?|autor(?:in)?|hrsg|herausgeber(?:in)?|übersetzer(?:in)?|ill|illustrator(?:in)?|mitwirkende[r]?)\.?$/i;

/** Of Google Contacts, in cells of all kinds. */
export const betweenColons = /\s:::\s/;

/** Small words that stand before a last name of several words. */
const particle =
  /^(?:van|von|der|den|de|del|della|di|da|dos|du|la|le|ten|ter|zu|zum|zur|af|av|bin|ibn|el|al|st\.?|saint|mac|o')$/i;
/** A given name, or initials. */
const initials = /^(?:\p{Lu}\p{M}*\.?[- ]?)+$/u;
/** Words in names of institutions, which contain "and". */
const institutional =
  /\b(?:of|for|the|für|und|de la|university|institute|department|ministry|inc|ltd|gmbh|sons|co|press|verlag)\b/i;

/** The parts of a text at commas, with what belongs to the part before. */
function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  for (const part of splitAt(text, /,(?=\s|$)/)) {
    const previous = parts.at(-1);
    const isSuffix = nameSuffix.test(part) || years.test(part) || role.test(part);
    if (previous !== undefined && isSuffix) parts[parts.length - 1] = `${previous}, ${part}`;
    else parts.push(part);
  }
  return parts;
}

/** Whether a text looks like one inverted name: `Musterfrau, Anna B.`, `van Gogh, Vincent`, `Garcia Marquez, Gabriel`. */
function looksInverted(text: string): boolean {
  const [first = '', second, ...more] = splitAtCommas(text);
  if (second === undefined || more.length > 0) return false;
  const given = second.split(',')[0] ?? '';
  const lastNames = first.split(/\s+/).filter((word) => !particle.test(word));
  const givenNames = given.split(/\s+/);
  return (
    lastNames.length <= 1 ||
    givenNames.length === 1 ||
    initials.test(given) ||
    initials.test(givenNames.at(-1) ?? '')
  );
}

/** The same among lists of names, where `Homer, Robert Fagles` are two. */
function isInverted(text: string): boolean {
  const [first = '', second = ''] = splitAtCommas(text);
  const given = second.split(/\s+/);
  const isWholeName = given.length > 1 && !initials.test(given.at(-1) ?? '');
  return looksInverted(text) && !(isWholeName && !/\s/.test(first));
}

/** What the cells of a column say about their separator. */
export class NameEvidence {
  private readonly counts = {
    colons: 0,
    semicolon: 0,
    bar: 0,
    line: 0,
    and: 0,
    comma: 0,
    inverted: 0,
    headings: 0,
  };

  add(text: string): void {
    const { counts } = this;
    if (betweenColons.test(text)) counts.colons += 1;
    if (text.includes(';')) counts.semicolon += 1;
    if (text.includes('|')) counts.bar += 1;
    if (/[^\s][\r\n]+[^\s]/.test(text)) counts.line += 1;
    if (splitAtAnd(text).length > 1) counts.and += 1;
    if (/ -- /.test(text)) counts.headings += 1;
    if (/[;|\r\n]/.test(text)) return;
    if (looksInverted(text)) counts.inverted += 1;
    else if (splitAtCommas(text).length > 1) counts.comma += 1;
  }

  /** What separates names; null when no cell has several. Commas do so only where most cells with one are no inverted names. */
  decideNames(): readonly Separator[] | null {
    const { comma, inverted, and } = this.counts;
    const marks = this.strong().filter((one) => one !== 'and');
    // A program that inverts names and separates them by a mark has "and" only within those of institutions.
    const strong = marks.length > 0 && inverted > and ? marks : this.strong();
    const isComma = !strong.some((one) => one !== 'and') && comma > inverted;
    const found: Separator[] = isComma ? [...strong, 'comma'] : strong;
    if (found.length > 0) return found;
    return inverted + comma > 0 ? ['none'] : null;
  }

  /** What separates subjects; null when no cell has several. Headings of libraries contain commas. */
  decideItems(): readonly Separator[] | null {
    const strong = this.strong().filter((one) => one !== 'and');
    if (strong.length > 0) return strong;
    const { comma, inverted, headings } = this.counts;
    if (headings > 0) return ['none'];
    return comma + inverted === 0 ? null : ['comma'];
  }

  private strong(): Separator[] {
    const { counts } = this;
    return (['colons', 'semicolon', 'bar', 'line', 'and'] as const).filter((one) => counts[one] > 0);
  }
}

/** The marks that may separate names of records. */
const betweenRecords = {
  colons: betweenColons,
  semicolon: /;/,
  bar: /\|/,
  line: /[\r\n]+/,
} as const;
const marks = ['colons', 'semicolon', 'bar', 'line'] as const satisfies readonly Separator[];

/**
 * What the cells of a column say about the separator of names of records. A name may contain any mark, as `Muster & Sons; Works Ltd` does, so a
 * mark separates only where parts between it are names elsewhere in the column.
 */
export class RecordEvidence {
  private readonly cells = new Set<string>();

  add(text: string): void {
    this.cells.add(foldText(text.trim()));
  }

  /** What separates names; null when no cell may have several. */
  decide(): readonly Separator[] | null {
    let hasMark = false;
    const separating = marks.filter((mark) => {
      const lists = [...this.cells]
        .map((cell) => splitAt(cell, betweenRecords[mark]))
        .filter((parts) => parts.length > 1);
      hasMark ||= lists.length > 0;
      // No name contains the mark of Google Contacts.
      if (mark === 'colons') return lists.length > 0;
      return lists.filter((parts) => parts.some((part) => this.cells.has(part))).length * 2 > lists.length;
    });
    if (separating.length > 0) return separating;
    return hasMark ? ['none'] : null;
  }
}

/** Splits the names of records in a cell. */
export function splitRecordsAt(text: string, by: readonly Separator[]): string[] {
  const pieces = splitStrongly(text, by);
  const named = by.includes('and') ? pieces.flatMap((piece) => splitAtAnd(piece, true)) : pieces;
  return by.includes('comma') ? named.flatMap(splitAtCommas) : named;
}

/** Splits the names in a cell. @param isChosen whether a person has chosen the separator, so that it applies to every cell */
export function splitNamesAt(text: string, by: readonly Separator[], isChosen: boolean): string[] {
  const pieces = splitStrongly(text, by);
  const named = by.includes('and') ? pieces.flatMap((piece) => splitAtAnd(piece, isChosen)) : pieces;
  return by.includes('comma') ? named.flatMap(splitNamesAtCommas) : named;
}

/** Splits the subjects or labels in a cell. */
export function splitItemsAt(text: string, by: readonly Separator[]): string[] {
  const pieces = splitStrongly(text, by);
  const items = by.includes('comma') ? pieces.flatMap((piece) => splitQuoted(piece, ',')) : pieces;
  return items.map(withoutMarks).filter((item) => item !== '');
}

/** Names at commas, unless the text is one inverted name. */
export function splitNamesAtCommas(text: string): string[] {
  return isInverted(text) ? [text.trim()] : splitAtCommas(text);
}

function splitStrongly(text: string, by: readonly Separator[]): string[] {
  let pieces = splitAt(text, betweenColons);
  if (by.includes('semicolon')) pieces = pieces.flatMap((piece) => splitQuoted(piece, ';'));
  if (by.includes('bar')) pieces = pieces.flatMap((piece) => splitAt(piece, /\|/));
  if (by.includes('line')) pieces = pieces.flatMap((piece) => splitAt(piece, /[\r\n]+/));
  return pieces;
}

/** Names at "and" and "&", where each part looks like that of a person: of several words, and not those of an institution. */
function splitAtAnd(text: string, isChosen = false): string[] {
  const parts = splitAt(text.replace(/, (?=(?:and|und|&) )/g, ' '), /\s(?:and|und|&)\s/);
  const isPerson = (part: string) => /[\s,]/.test(part) && !institutional.test(part);
  return isChosen || parts.every(isPerson) ? parts : [text.trim()];
}

/** Splits at a character, except between quotation marks. */
export function splitQuoted(text: string, characters: string): string[] {
  const parts = text.match(new RegExp(`(?:"[^"]*"|[^${characters}"])+|"`, 'g')) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** A group of Google Contacts that every contact is in. */
const groupOfAll = /^\* ?my ?contacts$/i;

/** A label without quotation marks around it and the mark of a group; empty for the group of all contacts. */
export function withoutMarks(text: string): string {
  if (groupOfAll.test(text)) return '';
  return text
    .replace(/^"(.*)"$/, '$1')
    .replace(/^\* /, '')
    .trim();
}

export function splitAt(text: string, separator: RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
