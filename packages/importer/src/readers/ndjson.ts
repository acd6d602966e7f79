/** Reads NDJSON files: one JSON object per line, with one line in memory at a time. */
import { MalformedJsonError, parseJson } from '@trellis/schema/values/json.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { decodeUtf8 } from '@trellis/schema/values/utf8.ts';
import { rejectionColumn, type Source, type SourceRow, type UnreadableRow } from '../source.ts';
import {
  largestRowBytes,
  noBytes,
  openTableFile,
  readExportedResource,
  type SourceFile,
  splitLines,
  toBytes,
} from './file.ts';

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** Opens an NDJSON file. */
export function openNdjson(file: SourceFile): Source {
  const table = openTableFile(file);
  return {
    ...table.source,
    columns: null,
    rejectedHeader: noBytes,
    async *read() {
      let line = 0;
      for await (const bytes of splitLines(table.read())) {
        line += 1;
        const place = `line ${line}`;
        if (bytes === null) {
          yield { place, unreadable: `The line is longer than ${largestRowBytes} bytes.`, original: noBytes };
        } else if (bytes.every(isBlank)) {
          table.skip('empty lines');
        } else {
          yield readRow(place, bytes);
        }
      }
    },
    formatRejected: ({ reasons }, original) => toBytes(addReasons(original, reasons.join(' ')), '\n'),
  };
}

/** The beginning of a line that has reasons already. */
const earlierReasons = toBytes(`{"${rejectionColumn}":"`);

/** A line without the reasons of an earlier rejection. */
function withoutReasons(line: Uint8Array): Uint8Array {
  if (!earlierReasons.every((byte, index) => line[index] === byte)) return line;
  let at = earlierReasons.length;
  while (at < line.length && line[at] !== quote) at += line[at] === backslash ? 2 : 1;
  return toBytes('{', line.subarray(line[at + 1] === comma ? at + 2 : at + 1));
}

/**
 * A line with the reasons as its first member. The other bytes stay as they came, also those that are not valid UTF-8. A line that is not
 * an object has no place for reasons.
 */
export function addReasons(line: Uint8Array, reasons: string): Uint8Array {
  const start = line.findIndex((byte) => !isBlank(byte));
  if (line[start] !== openingBrace) return line;
  const rest = line.subarray(start + 1);
  const isEmpty = rest.every((byte) => isBlank(byte) || byte === closingBrace);
  return toBytes(`{"${rejectionColumn}":${JSON.stringify(reasons)}${isEmpty ? '' : ','}`, rest);
}

/** Whether a byte is a space, a tab or part of a line end. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

function readRow(place: string, bytes: Uint8Array): SourceRow | UnreadableRow {
  const text = decodeUtf8(bytes);
  const original = withoutReasons(bytes);
  const unreadable = (reason: string): UnreadableRow => ({ place, unreadable: reason, original });
  try {
    // Only of bytes that cannot be decoded the parser says where they are invalid.
    const value = parseJson(text ?? bytes);
    if (!isPlainObject(value)) return unreadable('The line is not a JSON object.');
    const fields = new Map(
      Object.entries(value).filter(([name, cell]) => name !== rejectionColumn && cell !== ''),
    );
    const isRewritten = rejectionColumn in value && original === bytes;
    return {
      place,
      fields,
      key: null,
      exportedAs: readExportedResource(fields),
      // A program has moved the reasons to another place.
      original: isRewritten ? toBytes(JSON.stringify({ ...value, [rejectionColumn]: undefined })) : original,
    };
  } catch (error) {
    if (!(error instanceof MalformedJsonError)) throw error;
    return unreadable(`The line is not valid JSON: ${error.reason} (column ${error.column}).`);
  }
}
