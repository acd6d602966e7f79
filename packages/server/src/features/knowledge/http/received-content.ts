/**
 * The bytes of an upload as they arrive: the body itself, or the only file of a form (`multipart/form-data`, RFC 7578). Nothing is
 * kept in memory but the chunk that was received last.
 */
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { Problem } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { readContentType } from '../../../kernel/http/content-type.ts';
import { Digests } from '../../../kernel/http/digests.ts';
import { refuseSerializedObjects, type Sent } from './serialized-objects.ts';

/** What a form may have around its file, in bytes: boundaries, the headers of a part, a preamble. */
const mostAround = 65_536;

/** Twice as much as RFC 2046 permits (5.1.1), since clients generate them. */
const longestBoundary = 140;

/** Limits of an upload. */
export interface ContentLimits {
  /** Bytes of the file. */
  readonly maxBytes: number;
  /** How long the client may send nothing, in ms. */
  readonly idleMs: number;
}

/** An upload that is being received. Its bytes are read once. */
export class ReceivedContent {
  /** Aborted when the client has sent nothing for too long. */
  readonly idle = new AbortController();
  /** The announced number of bytes of the file; null if it is not known. */
  readonly expectedBytes: number | null;
  /** Why the bytes ended before their end, where the request is to blame. */
  problem: Problem | null = null;
  /** Name that the form gives the file; null before its first byte, and for a body that is the file. */
  fileName: string | null = null;
  private readonly source: Readable;
  private readonly headers: IncomingHttpHeaders;
  private readonly limits: ContentLimits;
  private readonly digests: Digests;
  private readonly isForm: boolean;

  /** @throws Problem unsupported_media_type, invalid_header, body_too_large */
  constructor(source: Readable, headers: IncomingHttpHeaders, limits: ContentLimits) {
    this.source = source;
    this.headers = headers;
    this.limits = limits;
    this.isForm = readIsForm(headers['content-type']);
    this.digests = new Digests(headers);
    const length = headers['content-length'] === undefined ? null : Number(headers['content-length']);
    if (this.isForm && length !== null && length > limits.maxBytes + mostAround)
      throw new Problem('body_too_large');
    this.expectedBytes = this.isForm ? null : length;
  }

  /** The bytes of the file. Where they end early, `problem` or `idle` says why, if the client is to blame. */
  async *bytes(): AsyncGenerator<Buffer> {
    try {
      if (this.isForm) yield* this.fileOfForm();
      else yield* refuseSerializedObjects(this.chunks(free), this.sentAs());
    } catch (error) {
      if (error instanceof Problem) this.problem = error;
      throw error;
    }
  }

  /** The chunks of the body. @param done called with a chunk once the consumer requests the next one */
  private async *chunks(done?: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
    const timer = setTimeout(() => this.idle.abort(), this.limits.idleMs);
    try {
      for await (const chunk of this.source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        timer.refresh();
        this.digests.update(chunk);
        yield chunk;
        timer.refresh();
        done?.(chunk);
      }
    } finally {
      // The object store may take longer.
      clearTimeout(timer);
    }
    this.digests.check();
  }

  private sentAs(): Sent {
    const { mediaType } = readContentType(this.headers['content-type']);
    return { mediaType, isCertain: this.digests.areGiven };
  }

  private async *fileOfForm(): AsyncGenerator<Buffer> {
    const ended = new AbortController();
    const { signal } = ended;
    // The first failure counts: it ends everything else.
    const fail = (error: unknown) => ended.abort(error);
    const form = openForm(this.headers['content-type']);
    form.on('error', (error) => fail(malformed(describeError(error))));
    form.on('partsLimit', () => fail(fault('maxItems', 'Send one part only: the file.')));
    const opened = new Promise<AsyncIterable<Buffer>>((resolve) => {
      const failWithoutFile = () => fail(fault('required', 'The form has no part with a file.'));
      form.once('finish', failWithoutFile).once('file', (_name, file, fileName, _encoding, mimeType) => {
        form.off('finish', failWithoutFile);
        this.fileName = cleanName(fileName);
        signal.addEventListener('abort', () => file.destroy(toError(signal.reason)), { once: true });
        const isCertain = this.fileName !== null && this.fileName !== 'blob';
        resolve(refuseSerializedObjects(file, { mediaType: mimeType.toLowerCase(), isCertain }));
      });
    });
    const failed = once(signal, 'abort').then(() => Promise.reject(toError(signal.reason)));
    const finished = once(form, 'finish');
    const sent = this.sendTo(form, signal);
    for (const promise of [failed, finished, sent]) promise.catch(fail);
    try {
      yield* await Promise.race([opened, failed]);
      await Promise.race([Promise.all([sent, finished]), failed]);
    } catch (error) {
      throw signal.aborted ? toError(signal.reason) : error;
    } finally {
      ended.abort(new Error('the upload has ended'));
    }
  }

  /** Sends the body to the parser, no faster than the file is read. */
  private async sendTo(form: BusboyInstance, signal: AbortSignal): Promise<void> {
    let received = 0;
    for await (const chunk of this.chunks()) {
      signal.throwIfAborted();
      received += chunk.length;
      if (received > this.limits.maxBytes + mostAround) throw new Problem('body_too_large');
      if (!form.write(chunk)) await once(form, 'drain', { signal });
    }
    form.end();
  }
}

/** A parser of a form with one part. @throws Problem malformed_form */
function openForm(contentType = ''): BusboyInstance {
  const [, quoted, plain] = /;\s*boundary=(?:"((?:[^"\\]|\\.)+)"|([^\s";]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformed('Content-Type has no boundary. HTTP libraries set it');
  if (boundary.length > longestBoundary)
    throw malformed(`the boundary has more than ${longestBoundary} characters`);
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { parts: 1, fields: 0, headerPairs: 20 },
      isPartAFile: (name, type, fileName) =>
        name === 'file' || type === 'application/octet-stream' || fileName !== undefined,
    });
  } catch (error) {
    throw malformed(describeError(error));
  }
}

/** Whether the body is a form. @throws Problem unsupported_media_type for a type in which programs send other things than files */
function readIsForm(header: string | undefined): boolean {
  const { mediaType } = readContentType(header);
  if (mediaType === 'multipart/form-data') return true;
  if (!/^multipart\/|[/+]json$/.test(mediaType)) return false;
  throw new Problem(
    'unsupported_media_type',
    `Send the bytes of the file as application/octet-stream, or as the only part of multipart/form-data. As ${mediaType} a program sends something that describes the file; if the file itself is of this type, send it as application/octet-stream: its type is recognized from its bytes.`,
  );
}

/** A file name as the parameter `fileName` takes it; null if nothing is left. */
function cleanName(given = ''): string | null {
  const name = given
    .toWellFormed()
    .normalize()
    .replace(/\p{Cc}/gu, '')
    .trim();
  return name === '' ? null : [...name].slice(0, limits.fileName).join('');
}

function malformed(what: string): Problem {
  return new Problem('malformed_form', `The form cannot be read: ${what}.`);
}

function fault(code: string, detail: string): Problem {
  return new Problem('validation_failed', undefined, { errors: [{ pointer: '', code, detail }] });
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/**
 * Frees the memory of a stored chunk. Some 60 MB would accumulate before the garbage collector runs. A chunk that shares
 * its memory with others is left alone.
 */
function free({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
