/** Why: NDJSON is what programs hand each other: one JSON object a line, read line by line and never more than one. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { MalformedJsonError, parseJson } from '../../../lib/json.ts';
import { isPlainObject } from '../../../lib/plain-object.ts';
import {
  largestRowBytes,
  rejectionColumn,
  type TableRow,
  type TableSource,
  type UnreadableRow,
} from './source.ts';

const lineFeed = 0x0a;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Opens an NDJSON file. */
export async function openNdjson(path: string): Promise<TableSource> {
  const { size } = await stat(path);
  let bytesRead = 0;
  const passedOver = new Map<string, number>();
  return {
    columns: null,
    passedOver,
    fractionRead: () => (size === 0 ? 1 : bytesRead / size),
    rejectedHeader: '',
    async *read() {
      passedOver.clear();
      let line = 0;
      for await (const bytes of readLines(path, (count) => {
        bytesRead = count;
      })) {
        line += 1;
        if (bytes === null) {
          const unreadable = `The line is longer than ${largestRowBytes} bytes.`;
          yield { place: `line ${line}`, unreadable, original: '' };
        } else if (bytes.toString('latin1').trim() === '') {
          passedOver.set('empty lines', (passedOver.get('empty lines') ?? 0) + 1);
        } else {
          yield readRow(`line ${line}`, bytes);
        }
      }
    },
    writeRejected(original, reasons) {
      const text = typeof original === 'string' ? original : '';
      try {
        return `${JSON.stringify({ ...JSON.parse(text), [rejectionColumn]: reasons.join(' ') })}\n`;
      } catch {
        // What is no JSON cannot be written back as such.
        return `${JSON.stringify({ line: text, [rejectionColumn]: reasons.join(' ') })}\n`;
      }
    },
  };
}

/** Each line without its end; null for one that is too long, whose bytes are passed by without keeping them. */
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

function readRow(place: string, bytes: Buffer): TableRow | UnreadableRow {
  const original = bytes.toString('utf8');
  try {
    const value = parseJson(bytes);
    if (!isPlainObject(value)) return { place, unreadable: 'The line is JSON but no object.', original };
    const entries = Object.entries(value).filter(([name]) => name !== rejectionColumn);
    return { place, fields: new Map(entries.filter(([, cell]) => cell !== '')), original };
  } catch (error) {
    if (!(error instanceof MalformedJsonError)) throw error;
    return { place, unreadable: `The line is no JSON: ${error.reason} (column ${error.column}).`, original };
  }
}
