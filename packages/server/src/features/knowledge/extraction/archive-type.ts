/**
 * Recognizes office documents and books among zip archives, by what the archive says of itself: files may be in any order, and an archive may
 * contain other documents.
 */
import { open } from 'node:fs/promises';
import { isExtractable, mediaTypes } from './media-types.ts';
import { ignore, readXml } from './xml.ts';
import { ZipArchive } from './zip.ts';

/** Unpacked bytes that are read to recognize an archive. */
const maximumBytes = 1024 * 1024;

/** The main parts of Office Open XML by their content types, ECMA-376, and those of files with macros. */
const mainPart =
  /^application\/vnd\.(?:openxmlformats-officedocument\.(?:wordprocessingml|spreadsheetml|presentationml)|ms-(?:word|excel|powerpoint))\.[\w.-]+?(?:\.main\+xml|\.main)$/i;

/** What archives have whose list of types is missing. */
const usualParts: readonly (readonly [RegExp, string])[] = [
  [/^word\/document\d*\.xml$/, mediaTypes.docx],
  [/^xl\/workbook\d*\.xml$/, mediaTypes.xlsx],
  [/^ppt\/presentation\d*\.xml$/, mediaTypes.pptx],
  [/^meta-inf\/container\.xml$/, mediaTypes.epub],
];

/** Recognizes an archive. @returns null when it is another one, or damaged */
export async function recognizeArchive(path: string): Promise<string | null> {
  const file = await open(path, 'r');
  try {
    const archive = await ZipArchive.open(file.fd, maximumBytes);
    return (await readTypeEntry(archive)) ?? (await readContentTypes(archive)) ?? guess(archive);
  } catch {
    // Whatever the archive is, its extraction says what is wrong with it.
    return null;
  } finally {
    await file.close();
  }
}

/** OpenDocument and EPUB have a file with their type, or at least list it. */
async function readTypeEntry(archive: ZipArchive): Promise<string | null> {
  if (archive.has('mimetype')) {
    const type = (await archive.readWhole('mimetype')).toString('latin1').trim();
    if (isExtractable(type)) return type;
  }
  if (!archive.has('META-INF/manifest.xml')) return null;
  const found: string[] = [];
  await readXml(archive.read('META-INF/manifest.xml'), {
    open({ local }, attributes) {
      const isRoot = attributes['manifest:full-path'] === '/';
      if (local === 'file-entry' && isRoot) found.push(attributes['manifest:media-type'] ?? '');
    },
    text: ignore,
    close: ignore,
  });
  return found.find(isExtractable) ?? null;
}

async function readContentTypes(archive: ZipArchive): Promise<string | null> {
  if (!archive.has('[Content_Types].xml')) return null;
  const found: string[] = [];
  await readXml(archive.read('[Content_Types].xml'), {
    open(_, attributes) {
      const type = attributes.ContentType ?? '';
      if (mainPart.test(type)) found.push(type.replace(/\.main(?:\+xml)?$/i, '').toLowerCase());
    },
    text: ignore,
    close: ignore,
  });
  const [type = null] = found;
  return type?.endsWith('macroenabled') || type?.includes('macroenabledtemplate')
    ? `${type.replace('macroenabledtemplate', 'macroenabled')}.12`
    : type;
}

function guess(archive: ZipArchive): string | null {
  for (const name of archive.names) {
    const usual = usualParts.find(([part]) => part.test(name));
    if (usual !== undefined) return usual[1];
  }
  return null;
}
