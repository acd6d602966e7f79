/**
 * Reads KBART files (NISO RP-9-2014), in which knowledge bases list what they offer: serials become magazines, monographs books. A title has one row
 * for each period that is covered; they become one record, from the first issue to the last.
 */
import type { Source, SourceRow } from '../source.ts';
import { openCsv } from './csv.ts';
import type { SourceFile } from './file.ts';
import { SkippedParts } from './record-rows.ts';

/** Columns about one period of a title. */
const [firstDate, lastDate] = ['date_first_issue_online', 'date_last_issue_online'];
const mostTitles = 1_000_000;

/** The periods of a title, from its first row. */
interface Coverage {
  /** Place of the first row. */
  readonly place: string;
  first: string;
  /** '' when it goes on. */
  last: string;
}

/** Opens a file. @throws UsageError when it has no usable header; ImportStopped when it cannot be read */
export async function openKbart(file: SourceFile): Promise<Source> {
  const source = await openCsv(file, { columns: null, delimiter: '\t' });
  const coverages = await findCoverages(source);
  const skipped = new SkippedParts();
  return {
    ...source,
    resources: ['magazines', 'books'],
    skipped: skipped.counts,
    async *read() {
      skipped.counts.clear();
      for await (const row of source.read()) {
        if ('unreadable' in row) {
          yield row;
          continue;
        }
        const coverage = coverages.get(keyOf(row));
        if (coverage !== undefined && coverage.place !== row.place)
          skipped.add('further periods of titles, which are part of their first row');
        else yield toRow(row, coverage);
      }
    },
  };
}

function isSerial({ fields }: SourceRow): boolean {
  const type = fields.get('publication_type');
  if (typeof type === 'string') return type.trim().toLowerCase() !== 'monograph';
  return !/^97[89]/.test(
    String(fields.get('print_identifier') ?? fields.get('online_identifier')).replaceAll('-', ''),
  );
}

/** What tells a title apart: the number that its provider gave it, else what is printed. */
function keyOf(row: SourceRow): string {
  const names = ['title_id', 'online_identifier', 'print_identifier', 'publication_title'];
  const name = names.find((one) => row.fields.has(one)) ?? '';
  return `${isSerial(row)} ${name} ${String(row.fields.get(name))}`;
}

async function findCoverages(source: Source): Promise<Map<string, Coverage>> {
  const coverages = new Map<string, Coverage>();
  for await (const row of source.read()) {
    if ('unreadable' in row || !isSerial(row)) continue;
    const [first, last] = [firstDate, lastDate].map((name) => String(row.fields.get(name) ?? ''));
    const known = coverages.get(keyOf(row));
    if (known === undefined && coverages.size < mostTitles) {
      coverages.set(keyOf(row), { place: row.place, first: first ?? '', last: last ?? '' });
    } else if (known !== undefined) {
      if (first !== undefined && first !== '' && first < known.first) known.first = first;
      known.last = known.last === '' || last === '' ? '' : ([known.last, last ?? ''].toSorted()[1] ?? '');
    }
  }
  return coverages;
}

/** The row with the names that its resource knows. */
function toRow(row: SourceRow, coverage: Coverage | undefined): SourceRow {
  const fields = new Map(row.fields);
  for (const [name, value] of [
    [firstDate, coverage?.first],
    [lastDate, coverage?.last],
  ] as const) {
    if (value === undefined) continue;
    if (value === '') fields.delete(name);
    else fields.set(name, value);
  }
  return { ...row, fields, becomes: isSerial(row) ? 'magazines' : 'books' };
}
