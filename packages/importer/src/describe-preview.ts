/** The preview of an import as the command line shows it, before the question whether to begin. */
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import type { ColumnReading, Conventions } from './conventions.ts';
import type { Default } from './defaults.ts';
import type { LocalClock } from './instants.ts';
import type { ColumnUse } from './mapping.ts';
import { printable, shorten } from './report.ts';
import type { TableReading } from './source.ts';

const longestSample = 24;

/** How a source is read. */
interface Readings {
  readonly table: TableReading | undefined;
  readonly conventions: Conventions;
  readonly defaults: readonly Default[];
  /** What records are found by. */
  readonly ways: readonly string[];
  /** Of dates without a zone. */
  readonly clock: LocalClock;
}

/** What the values of columns decide, in sentences. */
function describeConventions(conventions: Conventions): string[] {
  return [...conventions].flatMap(([column, { separators, dates, decimal }]) => [
    ...(separators === null
      ? []
      : [
          `  ${column}: ${separators.includes('none') ? 'one value in each cell' : `separated by ${separators.join(', ')}`} (--separator)`,
        ]),
    ...(dates === null ? [] : [`  ${column}: ${describeOrder(dates)} (--dates)`]),
    ...(decimal === null
      ? []
      : [
          `  ${column}: ${decimal === 'open' ? 'amounts such as 1.234 are rejected, because the decimal sign is not known' : `the decimal sign is "${decimal}"`} (--decimal)`,
        ]),
  ]);
}

function describeOrder(dates: NonNullable<ColumnReading['dates']>): string {
  if (dates === 'open')
    return 'dates such as 03/04/2027 are rejected, because the order of day and month is not known';
  return dates === 'dmy' ? 'dates are day/month/year' : 'dates are month/day/year';
}

/** The preview for people: how a table was read, mapped columns with three values each, then ignored ones. */
export function describePreview(
  columns: readonly ColumnUse[],
  resource: Resource,
  { table: file, conventions, defaults, ways, clock }: Readings,
): string {
  const rows = columns.flatMap(({ column, to, samples }) => {
    const values = samples.map((sample) => shorten(sample, longestSample)).join(' | ');
    return to === null ? [] : [[column, to, values] as const];
  });
  const table = [['column', `field of ${resource.name}`, 'values'] as const, ...rows];
  const columnWidth = Math.max(...table.map(([column]) => Array.from(column).length));
  const fieldWidth = Math.max(...table.map(([, field]) => Array.from(field).length));
  const lines = table.map(([column, field, values]) =>
    `  ${column.padEnd(columnWidth)}  ${field.padEnd(fieldWidth)}  ${values}`.trimEnd(),
  );
  const parts = [
    file === undefined ? [] : [describeTable(file)],
    lines,
    [`  Records are found by: ${ways.join('; ')}`],
    describeConventions(conventions),
    describeLeftOut(columns),
    describeDefaults(defaults),
    describeClock(columns, resource, clock),
  ];
  const paragraphs = parts
    .filter((part) => part.length > 0)
    .map((part) => `${part.map(printable).join('\n')}\n`);
  return `${paragraphs.join('\n')}\n`;
}

/** By which clock dates are read, where a column has some. */
function describeClock(columns: readonly ColumnUse[], resource: Resource, { note }: LocalClock): string[] {
  const instants = flattenFields(resource).filter(([, { kind }]) => kind === 'instant');
  const hasDates = columns.some(({ to }) => instants.some(([name]) => name === to));
  return hasDates ? [`  ${note.charAt(0).toUpperCase()}${note.slice(1)}.`] : [];
}

/** The columns with values that have no field, each with a value. */
function describeLeftOut(columns: readonly ColumnUse[]): string[] {
  const given = columns.filter(({ to, samples }) => to === null && samples.length > 0);
  if (given.length === 0) return [];
  const what = given.length === 1 ? 'One column with values' : `${given.length} columns with values`;
  return [
    `  ${what} will not be imported (--map COLUMN=FIELD maps one):`,
    ...given.map(({ column, samples: [sample] }) => `    ${column}: ${shorten(sample, longestSample)}`),
  ];
}

/** What new records get because no column has it. */
function describeDefaults(defaults: readonly Default[]): string[] {
  if (defaults.length === 0) return [];
  return [`  New records get: ${defaults.map(({ field, value }) => `${field} ${value}`).join(', ')}`];
}

/** How a table was read, and how to correct that. */
function describeTable({ encoding, delimiter, headerLine }: TableReading): string {
  const separator = delimiter === '\t' ? 'tab' : `"${delimiter}"`;
  const header = headerLine === null ? 'no header' : `header in line ${headerLine}`;
  return `  Read as ${encoding}, delimiter ${separator}, ${header} (--encoding, --delimiter, --header-line correct it).`;
}
