/**
 * Reads ZIP archives (PKWARE APPNOTE) by their directory, which stands at the end. Reading from the beginning instead would take bytes
 * inside a stored file for the next file. Each file is decompressed in parts, so that nothing grows to the size it claims.
 */
import { Inflate } from 'fflate';
import { ImportStopped } from '../errors.ts';

/** A file in an archive. */
interface ZipEntry {
  readonly name: string;
  readonly method: number;
  /** Of its header in the archive. */
  readonly offset: number;
  readonly compressedBytes: number;
  readonly isEncrypted: boolean;
}

/** An archive whose bytes are in memory. */
export interface Zip {
  readonly names: readonly string[];
  /** The content of a file, in parts. @throws ImportStopped when it is absent, damaged, encrypted or too large */
  read(name: string, mostBytes: number): Generator<Uint8Array>;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const endBytes = 22;
const longestComment = 65_535;
const mostEntries = 10_000;
/** Compressed bytes that are decompressed at once; they become at most a thousand times as many. */
const sliceBytes = 4_096;
/** Real files are compressed 5 to 50 times. A larger factor is accepted up to this size. */
const mostFactor = 250;
const bytesBelowFactor = 16_777_216;

/** Opens an archive. @param label its name for people @throws ImportStopped when it is damaged */
export function openZip(label: string, bytes: Uint8Array): Zip {
  const damaged = () =>
    new ImportStopped(
      `${label} is damaged or incomplete: it is not a whole ZIP archive. Save or download it again.`,
    );
  const entries = new Map<string, ZipEntry>();
  try {
    for (const entry of listEntries(label, bytes, damaged)) entries.set(entry.name, entry);
  } catch (error) {
    throw error instanceof RangeError ? damaged() : error;
  }
  return {
    names: [...entries.keys()],
    *read(name, mostBytes) {
      const entry = entries.get(name);
      if (entry === undefined) {
        throw new ImportStopped(
          `${label} is incomplete: its part "${name}" is missing. Open it in the program that it comes from, or in LibreOffice, and save it again.`,
        );
      }
      if (entry.isEncrypted)
        throw new ImportStopped(`${label} is protected by a password. Save it without one.`);
      const most = Math.min(mostBytes, Math.max(bytesBelowFactor, entry.compressedBytes * mostFactor));
      let length = 0;
      for (const part of inflate(bytes, entry, damaged)) {
        length += part.length;
        if (length > most) {
          throw new ImportStopped(
            `${label} is too large: "${name}" in it has more than ${most} bytes. Divide it into several files.`,
          );
        }
        yield part;
      }
    },
  };
}

function listEntries(label: string, bytes: Uint8Array, damaged: () => ImportStopped): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - endBytes;
  const first = Math.max(0, end - longestComment);
  while (end >= first && view.getUint32(end, true) !== endSignature) end -= 1;
  if (end < first) throw damaged();
  const count = view.getUint16(end + 10, true);
  if (count > mostEntries) {
    throw new ImportStopped(
      `${label} has more than ${mostEntries} files. Unpack it and import what is in it.`,
    );
  }
  let at = view.getUint32(end + 16, true);
  const entries: ZipEntry[] = [];
  for (let index = 0; index < count; index += 1) {
    if (view.getUint32(at, true) !== entrySignature) throw damaged();
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    entries.push({
      // Some programs write backslashes.
      name: name.replaceAll('\\', '/').replace(/^\//, ''),
      method: view.getUint16(at + 10, true),
      compressedBytes: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function* inflate(
  bytes: Uint8Array,
  { offset, method, compressedBytes }: ZipEntry,
  damaged: () => ImportStopped,
): Generator<Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (offset + 30 > bytes.length) throw damaged();
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  const end = start + compressedBytes;
  if (end > bytes.length || (method !== 0 && method !== 8)) throw damaged();
  let parts: Uint8Array[] = [];
  let isComplete = false;
  const inflater = new Inflate((part, isLast) => {
    parts.push(part);
    isComplete ||= isLast;
  });
  for (let at = start; at < end; at += sliceBytes) {
    const slice = bytes.subarray(at, Math.min(end, at + sliceBytes));
    if (method === 0) {
      yield slice;
      continue;
    }
    try {
      inflater.push(slice, at + sliceBytes >= end);
    } catch {
      throw damaged();
    }
    yield* parts;
    parts = [];
  }
  if (method === 8 && !isComplete) throw damaged();
}
