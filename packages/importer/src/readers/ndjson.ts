/** Reads NDJSON files: one JSON object per line, with one line in memory at a time. */
import { MalformedJsonError, parseJson } from '@trellis/schema/values/json.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { decodeForPeople, decodeUtf8 } from '@trellis/schema/values/utf8.ts';
import { rejectionColumn, type Source, type SourceRow, type UnreadableRow } from '../source.ts';
import {
  concatenate,
  largestRowBytes,
  lineFeed,
  openTableFile,
  readExportedResource,
  type SourceFile,
} from './file.ts';

/** Opens an NDJSON file. */
export function openNdjson(file: SourceFile): Source {
  const table = openTableFile(file);
  return {
    ...table.source,
    columns: null,
    rejectedHeader: '',
    async *read() {
      let line = 0;
      for await (const bytes of splitLines(table.read())) {
        line += 1;
        const place = `line ${line}`;
        if (bytes === null) {
          yield { place, unreadable: `The line is longer than ${largestRowBytes} bytes.`, original: [] };
        } else if (bytes.every(isBlank)) {
          table.skip('empty lines');
        } else {
          yield readRow(place, bytes);
        }
      }
    },
    formatRejected({ reasons }, [line = '']) {
      const because = { [rejectionColumn]: reasons.join(' ') };
      try {
        return `${JSON.stringify({ ...JSON.parse(line), ...because })}\n`;
      } catch {
        // An invalid line is written as a string, since the file of rejected rows must be valid NDJSON.
        return `${JSON.stringify({ line, ...because })}\n`;
      }
    },
  };
}

/** The lines without their ends; null for a line that is too long, whose bytes are skipped. */
async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | null> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array) => {
    length += part.length;
    if (length > largestRowBytes) parts = [];
    else parts.push(part);
  };
  const take = () => {
    const line = length > largestRowBytes ? null : concatenate(parts);
    parts = [];
    length = 0;
    return line;
  };
  for await (const bytes of chunks) {
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
  const original = [text ?? decodeForPeople(bytes)];
  const unreadable = (reason: string): UnreadableRow => ({ place, unreadable: reason, original });
  try {
    // Only of bytes that cannot be decoded the parser says where they are invalid.
    const value = parseJson(text ?? bytes);
    if (!isPlainObject(value)) return unreadable('The line is not a JSON object.');
    const fields = new Map(
      Object.entries(value).filter(([name, cell]) => name !== rejectionColumn && cell !== ''),
    );
    return { place, fields, key: null, exportedAs: readExportedResource(fields), original };
  } catch (error) {
    if (!(error instanceof MalformedJsonError)) throw error;
    return unreadable(`The line is not valid JSON: ${error.reason} (column ${error.column}).`);
  }
}
