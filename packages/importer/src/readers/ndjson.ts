/** Reads NDJSON files: one JSON object per line, with one line in memory at a time. */
import { MalformedJsonError, parseJson } from '@trellis/schema/values/json.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { decodeForPeople, decodeUtf8 } from '@trellis/schema/values/utf8.ts';
import { rejectionColumn, type Source, type SourceRow, type UnreadableRow } from '../source.ts';
import { concatenate, type SourceFile, withoutByteOrderMark } from './file.ts';
import { largestRowBytes, lineFeed, readExportedResource } from './lines.ts';

/** Opens an NDJSON file. */
export function openNdjson(file: SourceFile): Source {
  const { name, size } = file;
  let bytesRead = 0;
  const skipped = new Map<string, number>();
  return {
    name,
    isPosts: false,
    wrappers: [],
    columns: null,
    skipped,
    total: () => (size === 0 ? 1 : bytesRead / size),
    rejectedHeader: '',
    async *read() {
      skipped.clear();
      let line = 0;
      for await (const bytes of readLines(file, (count) => {
        bytesRead = count;
      })) {
        line += 1;
        if (bytes === null) {
          const unreadable = `The line is longer than ${largestRowBytes} bytes.`;
          yield { place: `line ${line}`, unreadable, original: '' };
        } else if (bytes.every(isBlank)) {
          skipped.set('empty lines', (skipped.get('empty lines') ?? 0) + 1);
        } else {
          yield readRow(`line ${line}`, bytes);
        }
      }
    },
    formatRejected({ reasons }, original) {
      const text = typeof original === 'string' ? original : '';
      try {
        return `${JSON.stringify({ ...JSON.parse(text), [rejectionColumn]: reasons.join(' ') })}\n`;
      } catch {
        // An invalid line is written as a string, since the file of rejected rows must be valid NDJSON.
        return `${JSON.stringify({ line: text, [rejectionColumn]: reasons.join(' ') })}\n`;
      }
    },
  };
}

/** Reads the lines without their ends; null for a line that is too long, whose bytes are skipped. */
async function* readLines(
  file: SourceFile,
  noteBytes: (count: number) => void,
): AsyncGenerator<Uint8Array | null> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let count = 0;
  let isFirst = true;
  const take = () => {
    const whole = length > largestRowBytes ? null : concatenate(parts);
    parts = [];
    length = 0;
    const wasFirst = isFirst;
    isFirst = false;
    return whole === null || !wasFirst ? whole : withoutByteOrderMark(whole);
  };
  const add = (part: Uint8Array) => {
    length += part.length;
    if (length > largestRowBytes) parts = [];
    else parts.push(part);
  };
  for await (const bytes of file.read()) {
    count += bytes.length;
    noteBytes(count);
    let from = 0;
    for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, from)) {
      add(bytes.subarray(from, at));
      yield take();
      from = at + 1;
    }
    add(bytes.subarray(from));
  }
  if (length > 0) yield take();
}

/** Whether a byte is a space, a tab or part of a line end. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

function readRow(place: string, bytes: Uint8Array): SourceRow | UnreadableRow {
  const text = decodeUtf8(bytes);
  const original = text ?? decodeForPeople(bytes);
  try {
    // Only of bytes that cannot be decoded the parser says where they are invalid.
    const value = parseJson(text ?? bytes);
    if (!isPlainObject(value)) return { place, unreadable: 'The line is not a JSON object.', original };
    const entries = Object.entries(value).filter(([name]) => name !== rejectionColumn);
    const fields = new Map(entries.filter(([, cell]) => cell !== ''));
    return { place, fields, key: null, exportedAs: readExportedResource(fields), original };
  } catch (error) {
    if (!(error instanceof MalformedJsonError)) throw error;
    return {
      place,
      unreadable: `The line is not valid JSON: ${error.reason} (column ${error.column}).`,
      original,
    };
  }
}
