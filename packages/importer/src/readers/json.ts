/** Reads JSON documents with a list of objects: an array, or an object in which one is. */
import { MalformedJsonError, parseJson } from '@trellis/schema/values/json.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { UsageError } from '../errors.ts';
import { rejectionColumn, type Source, type SourceRow, type UnreadableRow } from '../source.ts';
import { noBytes, openTableFile, readExportedResource, type SourceFile } from './file.ts';
import { type JsonItem, largestItemBytes, readItems } from './json-items.ts';
import { createRow, formatRejectedRecord } from './record-rows.ts';

const mostLists = 100;

/**
 * Opens a JSON document.
 * @param wanted the name of the list; null for the longest one
 * @throws UsageError when there is no list of objects, or not the named one; ImportStopped when the document cannot be read
 */
export async function openJson(file: SourceFile, wanted: string | null): Promise<Source> {
  const table = openTableFile(file);
  const counts = await countObjects(file.name, table.read());
  const path = chooseList(file.name, counts, wanted);
  const lists = [...counts.keys()].map(nameOf);
  return {
    ...table.source,
    columns: null,
    rejectedHeader: noBytes,
    parts: lists.length > 1 ? { names: lists, chosen: nameOf(path) } : null,
    formatRejected: formatRejectedRecord,
    async *read() {
      for await (const item of readItems(file.name, table.read(), (one) => one === path)) yield readRow(item);
    },
  };
}

/** The number of objects in each list, by path. */
async function countObjects(label: string, chunks: AsyncIterable<Uint8Array>): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  // Lists in the items of others belong to those.
  for await (const { path, bytes } of readItems(label, chunks, (one) => !one.includes('*'))) {
    if (bytes?.[0] !== 0x7b || (counts.size === mostLists && !counts.has(path))) continue;
    counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return counts;
}

/** `contacts` for `/data/contacts`. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The named list, or the longest one. */
function chooseList(label: string, counts: ReadonlyMap<string, number>, wanted: string | null): string {
  const paths = [...counts.keys()];
  if (wanted !== null) {
    const named = paths.find((path) => nameOf(path) === wanted);
    if (named !== undefined) return named;
    throw new UsageError(
      `--sheet: the file has no list "${wanted}". Its lists are: ${paths.map(nameOf).join(', ') || 'none'}.`,
    );
  }
  const most = Math.max(...counts.values());
  const longest = paths.find((path) => counts.get(path) === most);
  if (longest !== undefined) return longest;
  throw new UsageError(
    `${label} has no list of objects. Expected is [{"title": "…"}, …], or an object with such a list.`,
  );
}

function readRow({ number, bytes }: JsonItem): SourceRow | UnreadableRow {
  const place = `item ${number}`;
  const unreadable = (reason: string): UnreadableRow => ({ place, unreadable: reason, original: noBytes });
  if (bytes === null) return unreadable(`The item is longer than ${largestItemBytes} bytes.`);
  try {
    const value = parseJson(trim(bytes));
    if (!isPlainObject(value)) return unreadable('The item is not a JSON object.');
    const fields = new Map(
      Object.entries(value).filter(([name, cell]) => name !== rejectionColumn && cell !== ''),
    );
    return createRow({ place, fields, exportedAs: readExportedResource(fields) });
  } catch (error) {
    if (!(error instanceof MalformedJsonError)) throw error;
    return unreadable(
      `The item is not valid JSON: ${error.reason} (line ${error.line} of the item, column ${error.column}).`,
    );
  }
}

function trim(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] ?? 0) <= 0x20) end -= 1;
  return bytes.subarray(0, end);
}
