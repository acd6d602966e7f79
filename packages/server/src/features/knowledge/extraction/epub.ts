/** Extracts the text of EPUB books (EPUB 3.3): title and authors, then the chapters in reading order. */
import type { TextCollector } from './collector.ts';
import { decodeText } from './decode.ts';
import { ExtractionError } from './errors.ts';
import { addHtml } from './html.ts';
import type { ExtractionLimits } from './limits.ts';
import { ignore, readXml } from './xml.ts';
import { resolveName, ZipArchive } from './zip.ts';

const metadata = new Set(['title', 'creator', 'subject', 'description', 'publisher']);

/** Chapters. Others are pictures, styles and scripts. */
const isPage = (type: string) => /html|xml|dtbook/.test(type) && !/svg|ncx/.test(type);

/**
 * Reads a book as one text.
 * @throws ExtractionError TOO_LARGE, TOO_DEEP, DAMAGED or ENCRYPTED
 */
export async function extractEpub(
  file: number,
  limits: ExtractionLimits,
  into: TextCollector,
): Promise<null> {
  const archive = await ZipArchive.open(file, limits.unzippedBytes);
  const chapters = await readPackage(archive, await findPackage(archive), into);
  const encrypted = await listEncrypted(archive);
  for (const name of chapters) {
    if (into.isFull) break;
    if (encrypted.has(name)) throw new ExtractionError('ENCRYPTED', 'A chapter is encrypted.');
    if (!archive.has(name)) into.markTruncated();
    else addHtml([decodeText(await archive.readWhole(name))], into);
    into.add('\n');
  }
  into.endPage();
  return null;
}

/** The document that lists the contents, which the container names. */
async function findPackage(archive: ZipArchive): Promise<string> {
  const found: string[] = [];
  if (archive.has('META-INF/container.xml'))
    await readXml(archive.read('META-INF/container.xml'), {
      open({ local }, attributes) {
        if (local === 'rootfile') found.push(resolveName('', attributes['full-path'] ?? ''));
      },
      text: ignore,
      close: ignore,
    });
  const name = [...found, ...archive.names].find((each) => each.endsWith('.opf') && archive.has(each));
  if (name === undefined) throw new ExtractionError('DAMAGED', 'The book has no package document.');
  return name;
}

/** Adds title and authors. @returns the names of the chapters in reading order, each once */
async function readPackage(archive: ZipArchive, name: string, into: TextCollector): Promise<Set<string>> {
  const items = new Map<string, string>();
  const pages: string[] = [];
  const chapters: string[] = [];
  let depth = 0;
  await readXml(archive.read(name), {
    open({ local }, attributes) {
      if (metadata.has(local)) depth += 1;
      else if (local === 'item') {
        const target = resolveName(name, attributes.href ?? '');
        items.set(attributes.id ?? '', target);
        if (isPage(attributes['media-type'] ?? '')) pages.push(target);
      } else if (local === 'itemref') {
        const target = items.get(attributes.idref ?? '');
        if (target !== undefined) chapters.push(target);
      }
    },
    text(text) {
      if (depth > 0) into.add(text);
    },
    close({ local }) {
      if (!metadata.has(local)) return;
      depth -= 1;
      into.add('\n');
    },
  });
  return new Set(chapters.length > 0 ? chapters : pages);
}

/** The files that are encrypted. Fonts are in many books, without a protection of the text. */
async function listEncrypted(archive: ZipArchive): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  if (!archive.has('META-INF/encryption.xml')) return names;
  await readXml(archive.read('META-INF/encryption.xml'), {
    open({ local }, attributes) {
      if (local === 'CipherReference') names.add(resolveName('', attributes.URI ?? ''));
    },
    text: ignore,
    close: ignore,
  });
  return names;
}
