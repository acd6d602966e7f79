/**
 * Recognizes the media type of a file from its bytes, since the type decides how the file is read and how browsers treat
 * it. The client's Content-Type is ignored; the file name only distinguishes kinds of text that look alike.
 */
import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { NotTextError, StrictDecoder } from './decode.ts';
import { mediaTypes, unknownMediaType } from './media-types.ts';

const CHUNK_BYTES = 64 * 1024;
const BEGINNING_CHARACTERS = 4096;
const PDF_HEADER_WITHIN_BYTES = 1024;
const RECOGNITION_MILLISECONDS = 5_000;

/**
 * Formats that consist of text. Any other format that file-type detects in a text is a false match (`BM…`, `MZ…`).
 */
const textualFormats: ReadonlySet<string> = new Set([
  mediaTypes.pdf,
  'application/rtf',
  'application/postscript',
  'application/xml',
]);

const mediaTypeOfExtension: Readonly<Record<string, string>> = {
  '.md': mediaTypes.markdown,
  '.markdown': mediaTypes.markdown,
  '.csv': mediaTypes.csv,
  '.txt': mediaTypes.plain,
};

/** An XML declaration, comments and white space, which may precede HTML. */
const htmlPrologue = /^(?:\s+|<\?xml[^>]*>|<!--[\s\S]*?-->)/;

const htmlDocument = /^<(?:!doctype\s+html|html|head|body)[\s>/]/i;

/** The beginning of a fragment of HTML, https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type */
const htmlElement = /^<(?:script|iframe|h1|div|font|table|a|style|title|b|br|p)[\s>]/i;

interface Bytes {
  /** The first bytes of the file. */
  readonly start: Buffer;
  /** The first characters, when the whole file is text; otherwise null. */
  readonly beginning: string | null;
}

/**
 * Recognizes the media type of a file by its bytes, without parameters. Uses bounded memory for files of any size.
 *
 * @param fileName the name that the client gave, if any: its extension tells Markdown, CSV and plain text apart
 * @returns `application/octet-stream` for unknown formats
 * @throws the system's error when the file cannot be read
 */
export async function sniffMediaType(path: string, fileName: string | null): Promise<string> {
  const { start, beginning } = await readBytes(path);
  const format = await recognizeFormat(path);
  if (beginning !== null) return decideText(beginning, format, fileName);
  // A document with a password is a compound file, as old formats are. Its extraction fails with ENCRYPTED.
  if (format === 'application/x-cfb' && extensionOf(fileName) === '.docx') return mediaTypes.docx;
  if (format !== null) return format;
  // Readers accept a PDF whose header is not at the beginning, and mail gateways make such files.
  return start.subarray(0, PDF_HEADER_WITHIN_BYTES).includes('%PDF-') ? mediaTypes.pdf : unknownMediaType;
}

function extensionOf(fileName: string | null): string {
  return extname(fileName ?? '').toLowerCase();
}

function decideText(beginning: string, format: string | null, fileName: string | null): string {
  const extension = extensionOf(fileName);
  let content = beginning;
  for (let skipped = htmlPrologue.exec(content); skipped !== null; skipped = htmlPrologue.exec(content)) {
    content = content.slice(skipped[0].length);
  }
  if (htmlDocument.test(content)) return mediaTypes.html;
  if (format !== null && textualFormats.has(format)) return format;
  const named = mediaTypeOfExtension[extension];
  if (named !== undefined) return named;
  // Markdown may begin with an element too, so the file name is checked first.
  const isPiece = htmlElement.test(content) || (/^\.html?$/.test(extension) && /^<[a-z!]/i.test(content));
  return isPiece ? mediaTypes.html : mediaTypes.plain;
}

async function readBytes(path: string): Promise<Bytes> {
  const file = await open(path, 'r');
  try {
    const decoder = new StrictDecoder();
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let start: Buffer | null = null;
    let beginning = '';
    try {
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES);
        if (bytesRead === 0) break;
        const chunk = buffer.subarray(0, bytesRead);
        start ??= Buffer.from(chunk);
        const text = decoder.decode(chunk);
        if (beginning.length < BEGINNING_CHARACTERS) beginning += text.slice(0, BEGINNING_CHARACTERS);
      }
      beginning += decoder.end();
    } catch (error) {
      if (!(error instanceof NotTextError)) throw error;
      return { start: start ?? Buffer.alloc(0), beginning: null };
    }
    return { start: start ?? Buffer.alloc(0), beginning };
  } finally {
    await file.close();
  }
}

/** Recognizes the format by file-type, which has its own limits. @returns null when it is unknown or fails */
async function recognizeFormat(path: string): Promise<string | null> {
  // Imported with the first file: most processes never see one.
  const { fileTypeFromFile } = await import('file-type');
  try {
    const found = await fileTypeFromFile(path, { signal: AbortSignal.timeout(RECOGNITION_MILLISECONDS) });
    return found?.mime ?? null;
  } catch {
    return null;
  }
}
