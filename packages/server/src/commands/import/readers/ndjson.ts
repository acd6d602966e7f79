/** Reads NDJSON files: one JSON object per line, with one line in memory at a time. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import {
  rejectionColumn,
  type Source,
  type SourceRow,
  type UnreadableRow,
} from '@trellis/importer/source.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { MalformedJsonError, parseJson } from '../../../lib/json.ts';
import { byteOrderMark, largestRowBytes, lineFeed, readExportedResource } from './lines.ts';

/** Opens an NDJSON file. */
export async function openNdjson(path: string): Promise<Source> {
  const { size } = await stat(path);
  let bytesRead = 0;
  const skipped = new Map<string, number>();
  return {
    name: path,
    isPosts: false,
    wrappers: [],
    columns: null,
    skipped,
    total: () => (size === 0 ? 1 : bytesRead / size),
    rejectedHeader: '',
    async *read() {
      skipped.clear();
      let line = 0;
      for await (const bytes of readLines(path, (count) => {
        bytesRead = count;
      })) {
        line += 1;
        if (bytes === null) {
          const unreadable = `The line is longer than ${largestRowBytes} bytes.`;
          yield { place: `line ${line}`, unreadable, original: '' };
        } else if (bytes.toString('latin1').trim() === '') {
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
async function* readLines(path: string, noteBytes: (count: number) => void): AsyncGenerator<Buffer | null> {
  let parts: Buffer[] = [];
  let length = 0;
  let count = 0;
  let isFirst = true;
  const take = () => {
    const whole = length > largestRowBytes ? null : Buffer.concat(parts);
    parts = [];
    length = 0;
    const wasFirst = isFirst;
    isFirst = false;
    if (whole === null || !wasFirst) return whole;
    return whole.subarray(0, byteOrderMark.length).equals(byteOrderMark)
      ? whole.subarray(byteOrderMark.length)
      : whole;
  };
  const add = (part: Buffer) => {
    length += part.length;
    if (length > largestRowBytes) parts = [];
    else parts.push(part);
  };
  for await (const chunk of createReadStream(path)) {
    const bytes: Buffer = chunk;
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

function readRow(place: string, bytes: Buffer): SourceRow | UnreadableRow {
  const original = bytes.toString('utf8');
  try {
    const value = parseJson(bytes);
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
