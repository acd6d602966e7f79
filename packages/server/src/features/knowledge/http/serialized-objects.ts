/**
 * Recognizes uploads that are not the file but a text that a program made of an object: `[object Blob]` is what becomes of a blob that is used as
 * a text, `{}` and `{"0":137,…}` of blobs and arrays of bytes that are written as JSON.
 */
import { Problem } from '@trellis/schema/problem.ts';

/** Texts of objects, which no file consists of. */
const asText = /^\[object \w{1,30}\]$/;
/** Blobs, forms and arrays of bytes as JSON. A file may look like this too. */
const asJson = /^(\{\}$|\{"0":\d{1,3}[,}]|\{"type":"Buffer","data":\[)/;
/** More bytes than a text has that is compared to its end. */
const mostBytes = 64;

/** What the sender says about the bytes. */
export interface Sent {
  /** Media type in lower case without parameters; '' if there is none. */
  readonly mediaType: string;
  /** Whether the sender has looked at the bytes: a file with a name of its own, or with a digest. */
  readonly isCertain: boolean;
}

/** The bytes, unless they are what a program made of an object. @throws Problem validation_failed at their end */
export async function* refuseSerializedObjects(
  bytes: AsyncIterable<Buffer>,
  { mediaType, isCertain }: Sent,
): AsyncGenerator<Buffer> {
  let begin = '';
  for await (const chunk of bytes) {
    if (begin.length < mostBytes) begin += chunk.toString('latin1', 0, mostBytes);
    yield chunk;
  }
  if (isCertain) return;
  // `fetch` calls a text `text/plain`, and clients call what they write as JSON so in a form; an upload that is meant has another type.
  const mayBeJson = ['', '*/*', 'text/plain', 'application/json'].includes(mediaType);
  if (!asText.test(begin) && !(mayBeJson && asJson.test(begin))) return;
  const detail = `The content is the text ${begin.length < 32 ? begin : `${begin.slice(0, 12)}…`}, which your program has made of an object instead of sending its bytes. Send the file as the only part of multipart/form-data. A file that really consists of this text is accepted there with a file name.`;
  throw new Problem('validation_failed', undefined, { errors: [{ pointer: '', code: 'format', detail }] });
}
