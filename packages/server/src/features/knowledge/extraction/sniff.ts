/**
 * Recognizes the media type of a file from its bytes, since the type decides how the file is read and how browsers treat
 * it. The client's Content-Type is ignored; the file name only distinguishes kinds of text that look alike.
 */
import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { EncodingDetector } from '@trellis/schema/values/text-encoding.ts';
import { declaredEncoding } from './decode.ts';
import { mediaTypes, unknownMediaType } from './media-types.ts';

const CHUNK_BYTES = 64 * 1024;
const BEGINNING_CHARACTERS = 16 * 1024;
const PDF_HEADER_WITHIN_BYTES = 1024;
const zipSignature = Buffer.from('PK\u0003\u0004');
const tiffSignatures = ['II*\0', 'MM\0*'].map((signature) => Buffer.from(signature));
const RECOGNITION_MILLISECONDS = 5_000;

/**
 * Formats that consist of text. Any other format that file-type detects in a text is a false match (`BM…`, `MZ…`).
 */
const textualFormats: ReadonlySet<string> = new Set([
  mediaTypes.pdf,
  mediaTypes.rtf,
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

/** The document type of XML that is not HTML. */
const documentType = /^<!doctype\s[^>[]*(?:\[[^\]]*\]\s*)?>/i;

const svgDocument = /^<(?:[\w.-]+:)?svg[\s>/]/i;

const htmlDocument = /^<(?:!doctype\s+html|html|head|body)[\s>/]/i;

/** The beginning of a fragment of HTML, https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type */
const htmlElement = /^<(?:script|iframe|h1|div|font|table|a|style|title|b|br|p)[\s>]/i;

/** Names of documents that are a compound file when they have a password. */
const officeOfExtension: Readonly<Record<string, string>> = {
  '.docx': mediaTypes.docx,
  '.docm': mediaTypes.docx,
  '.xlsx': mediaTypes.xlsx,
  '.xlsm': mediaTypes.xlsx,
  '.pptx': mediaTypes.pptx,
  '.pptm': mediaTypes.pptx,
};

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
  const extension = extname(fileName ?? '').toLowerCase();
  if (beginning !== null) return decideText(beginning, format, extension);
  if (start.subarray(0, 4).equals(zipSignature)) {
    const { recognizeArchive } = await import('./archive-type.ts');
    return (await recognizeArchive(path)) ?? format ?? 'application/zip';
  }
  // A document with a password is a compound file, as old formats are. Its extraction fails with ENCRYPTED.
  if (format === 'application/x-cfb') return officeOfExtension[extension] ?? format;
  if (format !== null) return format;
  // The directory of a TIFF may be at its end, and be missing.
  if (tiffSignatures.some((signature) => start.subarray(0, 4).equals(signature))) return 'image/tiff';
  // Readers accept a PDF whose header is not at the beginning, and mail gateways make such files.
  return start.subarray(0, PDF_HEADER_WITHIN_BYTES).includes('%PDF-') ? mediaTypes.pdf : unknownMediaType;
}

function decideText(beginning: string, format: string | null, extension: string): string {
  const content = skip(beginning, htmlPrologue);
  if (htmlDocument.test(content)) return mediaTypes.html;
  if (svgDocument.test(skip(content, documentType, htmlPrologue))) return mediaTypes.svg;
  if (format !== null && textualFormats.has(format)) return format;
  const named = mediaTypeOfExtension[extension];
  if (named !== mediaTypes.markdown && named !== mediaTypes.csv && isMessage(beginning, extension))
    return mediaTypes.email;
  if (named !== undefined) return named;
  // Markdown may begin with an element too, so the file name is checked first.
  const isPiece = htmlElement.test(content) || (/^\.html?$/.test(extension) && /^<[a-z!]/i.test(content));
  return isPiece ? mediaTypes.html : mediaTypes.plain;
}

/** Skips what may precede the root element, in any order and number. */
function skip(text: string, ...preceding: readonly RegExp[]): string {
  let rest = text;
  for (;;) {
    const found = preceding.map((each) => each.exec(rest)?.[0] ?? '').find((each) => each !== '');
    if (found === undefined) return rest;
    rest = rest.slice(found.length);
  }
}

/** Header fields that nothing but messages has (RFC 5322, RFC 2045). */
const messageFields = new Set(
  'received message-id mime-version return-path delivered-to content-transfer-encoding dkim-signature'.split(
    ' ',
  ),
);

const messageExtension = /^\.(?:eml|mht|mhtml)$/;

/** Whether a text begins with the header of an e-mail message, up to an empty line. A note may have a subject, too. */
function isMessage(beginning: string, extension: string): boolean {
  const [header = ''] = beginning.replace(/^\ufeff?From [^\n]*\n/, '').split(/\r?\n\r?\n/, 1);
  const names = new Set<string>();
  const isHeader = header.split(/\r?\n/).every((line, index) => {
    if (index > 0 && /^[ \t]/.test(line)) return true;
    const name = /^([!-9;-~]+)[ \t]*:/.exec(line)?.[1];
    if (name !== undefined) names.add(name.toLowerCase());
    // The last line may be cut off.
    return name !== undefined || header.length === beginning.length;
  });
  const hasAny = (...fields: readonly string[]) => fields.some((name) => names.has(name));
  if (messageExtension.test(extension))
    return isHeader && hasAny('from', 'to', 'subject', 'date', 'content-type', ...messageFields);
  return isHeader && hasAny('from', 'sender', 'date') && hasAny(...messageFields);
}

async function readBytes(path: string): Promise<Bytes> {
  const file = await open(path, 'r');
  try {
    const detector = new EncodingDetector();
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let start: Buffer = Buffer.alloc(0);
    while (!detector.isRefused) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES);
      if (bytesRead === 0) break;
      const chunk = buffer.subarray(0, bytesRead);
      if (start.length === 0) start = Buffer.from(chunk);
      detector.write(chunk);
    }
    const encoding = detector.end(declaredEncoding(start));
    if (encoding === null) return { start, beginning: null };
    const text = new TextDecoder(encoding).decode(start);
    return { start, beginning: text.slice(0, BEGINNING_CHARACTERS) };
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
