/**
 * What the values of a whole column decide: what separates names, companies and subjects, the order of day and month, and the decimal sign. It is decided
 * once, by the first rows or by a person, and shown before the first write; what it leaves open is asked.
 */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { type ColumnChoices, type ColumnMapping, settingsOf } from './columns.ts';
import { isListOfObjects, listImportOf, membersOf } from './destinations.ts';
import { ImportStopped } from './errors.ts';
import {
  NameEvidence,
  RecordEvidence,
  type Separator,
  splitItemsAt,
  splitNamesAt,
  splitRecordsAt,
} from './separators.ts';
import type { Source } from './source.ts';
import { type DateOrder, orderInDate, readWrittenDate } from './written-dates.ts';
import { type DecimalSign, decimalIn, numberIn, readWrittenAmount } from './written-numbers.ts';

/** How the values of a column are read. A member that says nothing about them is null. */
export interface ColumnReading {
  /** What separates several values, and null for a column whose values are single or of another kind. */
  readonly separators: readonly Separator[] | null;
  /** Whether a person has chosen the separator. */
  readonly isChosen: boolean;
  /** `open`: some dates may be two. */
  readonly dates: DateOrder | 'open' | null;
  /** `open`: some amounts may be two. */
  readonly decimal: DecimalSign | 'open' | null;
}

/** The readings by column. */
export type Conventions = ReadonlyMap<string, ColumnReading>;

const mostRows = 1_000;
const mostBytes = 1_048_576;

/** What a column is read as; null when its values say all themselves. */
type Kind = 'names' | 'records' | 'items' | 'date' | 'amount';

/** The kind of values that a column is mapped to. */
export function kindOf(resource: Resource, { destination }: Pick<ColumnMapping, 'destination'>): Kind | null {
  const { declared, member, field } = destination;
  if (declared === null) return null;
  const schema = declared.schema as JsonSchema;
  if (schema.format === 'partial-date') return 'date';
  if (member === 'amount' && membersOf(declared).currency !== undefined) return 'amount';
  const { main, split = 'items' } = listImportOf(resource, field) ?? {};
  if (schema.type !== 'array' || (isListOfObjects(declared) ? member !== main : member !== null)) return null;
  const { format } = (main === undefined ? schema.items : membersOf(declared)[main]) ?? {};
  if (split === 'names' || split === 'records') return split;
  return split === 'items' && (format === undefined || format === 'label') ? 'items' : null;
}

/** Whether a cell of the kind may have several values, which a separator divides. */
export function hasSeparator(kind: Kind | null): kind is 'names' | 'records' | 'items' {
  return kind === 'names' || kind === 'records' || kind === 'items';
}

/** What the cells of one column have said. */
interface Evidence {
  readonly kind: Kind;
  readonly names: NameEvidence;
  readonly records: RecordEvidence;
  readonly orders: Set<DateOrder | 'open'>;
  readonly signs: Set<DecimalSign | 'open'>;
}

/** Reads the first rows, and decides how each column is read. @param find the mapping of a column */
export async function decideConventions(
  resource: Resource,
  source: Source,
  choices: ColumnChoices,
  find: (column: string) => ColumnMapping | null,
): Promise<Conventions> {
  const evidence = new Map<string, Evidence>();
  if (source.isPosts) return new Map();
  try {
    await readFirst(resource, source, find, evidence);
  } catch (error) {
    // The import reads the same rows, and reports the defect.
    if (!(error instanceof ImportStopped)) throw error;
  }
  return new Map(
    [...evidence].map(([column, one]) => [column, decide(one, choices, column, source.table?.delimiter)]),
  );
}

async function readFirst(
  resource: Resource,
  source: Source,
  find: (column: string) => ColumnMapping | null,
  evidence: Map<string, Evidence>,
): Promise<void> {
  let rows = 0;
  let bytes = 0;
  for await (const row of source.read()) {
    rows += 1;
    if ('fields' in row && row.exportedAs === null) {
      for (const [column, value] of row.fields) {
        if (typeof value !== 'string') continue;
        bytes += value.length;
        const mapping = find(column);
        const kind = mapping === null ? null : kindOf(resource, mapping);
        if (kind !== null) note(evidence, column, kind, value);
      }
    }
    if (rows >= mostRows || bytes >= mostBytes) break;
  }
}

function note(all: Map<string, Evidence>, column: string, kind: Kind, value: string): void {
  const one = all.get(column) ?? {
    kind,
    names: new NameEvidence(),
    records: new RecordEvidence(),
    orders: new Set(),
    signs: new Set(),
  };
  all.set(column, one);
  const order = kind === 'date' ? orderInDate(value) : null;
  if (order !== null) one.orders.add(order);
  for (const part of kind === 'amount' ? value.split(/;|\r?\n/) : []) {
    const sign = decimalIn(numberIn(part) ?? '');
    if (sign !== null) one.signs.add(sign);
  }
  if (kind === 'names' || kind === 'items') one.names.add(value);
  if (kind === 'records') one.records.add(value);
}

function decide(
  { kind, names, records, orders, signs }: Evidence,
  choices: ColumnChoices,
  column: string,
  delimiter: string | undefined,
): ColumnReading {
  const { separator, dates, decimal } = settingsOf(choices, column);
  const found = {
    names: () => names.decideNames(),
    records: () => records.decide(),
    items: () => names.decideItems(),
    date: () => null,
    amount: () => null,
  }[kind]();
  const isCertain = signs.size === 1 || (signs.size === 2 && signs.has('open'));
  const [sign] = [...signs].filter((one) => one !== 'open');
  // Where cells are separated by semicolons, commas are decimal signs.
  const usual = delimiter === ';' ? ',' : 'open';
  const known = signs.has('open') ? (isCertain ? (sign ?? usual) : 'open') : null;
  const chosenSign = decimal === undefined ? undefined : decimal === 'comma' ? ',' : '.';
  return {
    separators: separator === undefined || !hasSeparator(kind) ? found : [separator],
    isChosen: separator !== undefined,
    dates: orders.has('open') || orders.size > 0 ? (dates ?? onlyOrder(orders)) : null,
    decimal: signs.has('open') ? (chosenSign ?? known) : null,
  };
}

/** The order that all dates of a column have, or may have. */
function onlyOrder(orders: ReadonlySet<DateOrder | 'open'>): DateOrder | 'open' {
  const [order, ...others] = [...orders].filter((one) => one !== 'open');
  return order !== undefined && others.length === 0 ? order : 'open';
}

/** A cell as its column is read. */
export interface ReadCell {
  readonly value: unknown;
  readonly repair: string | null;
  /** Why it cannot be used; null when it can. */
  readonly fault: string | null;
}

/** Reads a cell as its column is read. @param name of its destination */
export function readCell(kind: Kind, reading: ColumnReading, name: string, text: string): ReadCell {
  const unchanged = { value: text, repair: null, fault: null };
  if (/^\s*[[{]/.test(text)) return unchanged;
  if (kind === 'date') return readDateCell(reading.dates, name, text) ?? unchanged;
  if (kind === 'amount') return readAmounts(reading.decimal, name, text) ?? unchanged;
  if (reading.separators === null) return unchanged;
  const { separators, isChosen } = reading;
  const value =
    kind === 'names'
      ? splitNamesAt(text, separators, isChosen)
      : kind === 'records'
        ? splitRecordsAt(text, separators)
        : splitItemsAt(text, separators);
  return { ...unchanged, value };
}

function readDateCell(dates: ColumnReading['dates'], name: string, text: string): ReadCell | null {
  const order = orderInDate(text);
  const value = text;
  if (order === null) return null;
  if (dates !== null && dates !== 'open') {
    if (order !== 'open' && order !== dates) {
      const expected = dates === 'dmy' ? 'day/month/year' : 'month/day/year';
      return {
        value,
        repair: null,
        fault: `${name}: "${text.slice(0, 40)}" is not ${expected}, as the other dates of its column are.`,
      };
    }
    const read = readWrittenDate(text, dates);
    return read === null ? null : { value: read.value, repair: read.repair, fault: null };
  }
  if (order !== 'open') return null;
  const fault = `${name}: "${text.slice(0, 40)}" may be day/month/year or month/day/year. Choose the order of its column.`;
  return { value, repair: null, fault };
}

function readAmounts(decimal: ColumnReading['decimal'], name: string, text: string): ReadCell | null {
  const parts = text
    .split(/;|\r?\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const read = parts.map((part) => readWrittenAmount(part, decimal === 'open' ? null : decimal));
  const unclear = read.findIndex((one) => one !== null && one.amount === null);
  if (unclear >= 0) {
    const fault = `${name}: "${parts[unclear]?.slice(0, 40)}" may have a decimal sign or one of thousands. Choose the decimal sign of its column.`;
    return { value: text, repair: null, fault };
  }
  if (read.includes(null)) return null;
  const value = read
    .map((one) => [one?.amount, one?.currency].filter((part) => part != null).join(' '))
    .join('; ');
  return { value, repair: read.flatMap((one) => one?.repairs ?? [])[0] ?? null, fault: null };
}
