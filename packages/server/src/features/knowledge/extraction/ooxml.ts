/** The parts of Office Open XML files and what refers to them (ECMA-376, part 2), for documents, workbooks and presentations. */
import { ExtractionError } from './errors.ts';
import { readChunks, readWhole } from './file.ts';
import type { ExtractionLimits } from './limits.ts';
import { attributeOf, ignore, readXml } from './xml.ts';
import { resolveName, ZipArchive } from './zip.ts';

const compoundFileSignature = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

/** A part that another one refers to. */
export interface Relationship {
  readonly id: string;
  /** The last part of its type, which is the same in both editions of the standard: `worksheet`, `comments`. */
  readonly kind: string;
  /** Name of the part in the archive. */
  readonly target: string;
}

/** Text of drawings, which all three kinds of files may have; transitional and strict. */
const drawingNamespaces: ReadonlySet<string> = new Set([
  'http://schemas.openxmlformats.org/drawingml/2006/main',
  'http://purl.oclc.org/ooxml/drawingml/main',
]);

/** Where one element is given in several forms, of which a reader takes one. */
export const compatibilityNamespace = 'http://schemas.openxmlformats.org/markup-compatibility/2006';

/**
 * Opens an archive of parts.
 * @throws ExtractionError ENCRYPTED, DAMAGED or TOO_LARGE
 */
export async function openPackage(file: number, limits: ExtractionLimits): Promise<ZipArchive> {
  refuseEncrypted(file);
  return await ZipArchive.open(file, limits.unzippedBytes);
}

/** A document with a password is a compound file instead of a zip archive ([MS-OFFCRYPTO] section 2.3.4). */
function refuseEncrypted(file: number): void {
  const [start] = readChunks(file);
  if (start === undefined || !Buffer.from(start).subarray(0, 8).equals(compoundFileSignature)) return;
  const isEncrypted = Buffer.from(readWhole(file)).includes(Buffer.from('EncryptedPackage', 'utf16le'));
  throw new ExtractionError(isEncrypted ? 'ENCRYPTED' : 'DAMAGED', 'The file is a compound file.');
}

/**
 * The main part: the one that the archive names, or else the first with a usual name.
 * @throws ExtractionError DAMAGED when there is none
 */
export async function findMainPart(archive: ZipArchive, usual: RegExp): Promise<string> {
  const named = (await readRelationships(archive, '')).find(({ kind }) => kind === 'officeDocument');
  if (named !== undefined && archive.has(named.target)) return named.target;
  for (const name of archive.names) if (usual.test(name)) return name;
  throw new ExtractionError('DAMAGED', 'The archive has no main part.');
}

/** The parts that a part refers to, of those that are in the archive. @param part empty for the archive itself */
export async function readRelationships(archive: ZipArchive, part: string): Promise<Relationship[]> {
  const folderEnd = part.lastIndexOf('/') + 1;
  const name = `${part.slice(0, folderEnd)}_rels/${part.slice(folderEnd)}.rels`;
  if (!archive.has(name)) return [];
  const found: Relationship[] = [];
  await readXml(archive.read(name), {
    open({ local }, attributes) {
      if (local !== 'Relationship' || attributes.TargetMode === 'External') return;
      const target = resolveName(part, attributes.Target ?? '');
      const kind = (attributes.Type ?? '').split('/').at(-1) ?? '';
      if (archive.has(target)) found.push({ id: attributes.Id ?? '', kind, target });
    },
    text: ignore,
    close: ignore,
  });
  return found;
}

/** The parts that a list in the main part refers to, in its order: sheets, slides. */
export async function listParts(
  archive: ZipArchive,
  main: string,
  element: string,
): Promise<{ readonly target: string; readonly name: string | null }[]> {
  const targets = new Map((await readRelationships(archive, main)).map(({ id, target }) => [id, target]));
  const found: { target: string; name: string | null }[] = [];
  await readXml(archive.read(main), {
    open({ local }, attributes) {
      if (local !== element) return;
      // `id` alone is a number of the list itself.
      const reference = Object.keys(attributes).find((name) => /:id$/.test(name)) ?? '';
      const target = targets.get(attributes[reference] ?? '');
      if (target !== undefined) found.push({ target, name: attributeOf(attributes, 'name') });
    },
    text: ignore,
    close: ignore,
  });
  return found;
}

/** Adds the text of a drawing, a line for each paragraph, as far as it has any. */
export async function addDrawingText(
  archive: ZipArchive,
  part: string,
  into: { add(text: string): void; readonly isFull: boolean },
): Promise<void> {
  let depth = 0;
  let skippedDepth = 0;
  const isSkipped = ({ namespace, local }: { namespace: string; local: string }) =>
    namespace === compatibilityNamespace && local === 'Fallback';
  await readXml(
    archive.read(part),
    {
      open(tag) {
        if (isSkipped(tag)) skippedDepth += 1;
        if (!drawingNamespaces.has(tag.namespace) || skippedDepth > 0) return;
        if (tag.local === 't') depth += 1;
        else if (tag.local === 'br') into.add('\n');
        else if (tag.local === 'tab') into.add('\t');
      },
      text(text) {
        if (depth > 0 && skippedDepth === 0) into.add(text);
      },
      close(tag) {
        if (isSkipped(tag)) skippedDepth -= 1;
        if (!drawingNamespaces.has(tag.namespace) || skippedDepth > 0) return;
        if (tag.local === 't') depth -= 1;
        else if (tag.local === 'p') into.add('\n');
      },
    },
    () => into.isFull,
  );
}
