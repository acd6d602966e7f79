/** Downloads of file contents: conditional requests and ranges (RFC 9110), always as attachments. */
import { Readable } from 'node:stream';
import { Problem } from '@trellis/schema/problem.ts';
import type { HttpContext } from '../../../kernel/http/context.ts';
import type { Call, OperationResponse } from '../../../kernel/http/operation.ts';
import { isUnchanged } from '../../../kernel/http/preconditions.ts';
import type { ByteRange } from '../../../kernel/objects/object-store.ts';

/** Stored bytes and their metadata. */
export interface Content {
  /** Strong entity tag, with its quotes. */
  readonly etag: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly fileName: string;
  open(range?: ByteRange): Promise<Readable>;
}

/**
 * Responds with the bytes: 200, 206 for one range, or 304. A request for several ranges gets the whole content.
 * @throws Problem range_not_satisfiable, overloaded, rate_limited
 */
export async function respondWithContent(
  { downloads }: Pick<HttpContext, 'downloads'>,
  call: Call,
  content: Content,
): Promise<OperationResponse> {
  const { headers, credentials } = call;
  const { tokenHash, organizationId } = credentials;
  const reader = { owners: [tokenHash, organizationId], turnsOf: organizationId };
  const base = {
    etag: content.etag,
    'accept-ranges': 'bytes',
    'content-type': content.mediaType,
    'content-disposition': disposition(content.fileName),
    // Files come from anyone and must not run anything when opened in a browser.
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  };
  if (isUnchanged(call, content.etag, 'bytes'))
    return { status: 304, headers: { etag: content.etag }, body: null };
  // Ranges are defined for GET alone (14.2).
  const isRequested = call.method === 'GET' && isRangeCurrent(headers['if-range'], content.etag);
  const range = isRequested ? readRange(headers.range, content.sizeBytes) : null;
  if (range === null) {
    const length = { 'content-length': String(content.sizeBytes) };
    const body =
      call.method === 'HEAD'
        ? Readable.from([])
        : await downloads.open(reader, content.sizeBytes, () => content.open());
    return { status: 200, headers: { ...base, ...length }, body };
  }
  const bytes = range.end - range.start + 1;
  const part = {
    'content-range': `bytes ${range.start}-${range.end}/${content.sizeBytes}`,
    'content-length': String(bytes),
  };
  const body = await downloads.open(reader, bytes, () => content.open(range));
  return { status: 206, headers: { ...base, ...part }, body };
}

/** Whether `If-Range` allows a partial response (RFC 9110, 13.1.5). Dates are not strong validators. */
function isRangeCurrent(ifRange: string | string[] | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange === etag;
}

/** Reads the requested range. @returns null for none, several, or another unit: the whole content is sent */
function readRange(header: string | undefined, sizeBytes: number): ByteRange | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replaceAll(' ', '') ?? '');
  if (match === null) return null;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return null;
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null;
  if (start >= sizeBytes || (first === '' && Number(last) === 0)) {
    throw new Problem('range_not_satisfiable', `The content has ${sizeBytes} bytes.`, {
      headers: { 'content-range': `bytes */${sizeBytes}` },
    });
  }
  return { start, end };
}

/** Content-Disposition: an attachment, with the name in ASCII for old clients and in UTF-8 (RFC 6266, RFC 8187). */
function disposition(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%/]/g, '_');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
