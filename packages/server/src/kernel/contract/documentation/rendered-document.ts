/** Documents of the server as they are sent. Each is made for the first request, and again only when the address changes. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUnchanged } from '../../http/preconditions.ts';
import { share } from '../../http/shared-content.ts';
import { contentTag } from './content-tag.ts';

/** A document in the form in which it is sent. */
export interface RenderedDocument {
  readonly content: Buffer;
  readonly etag: string;
}

/** Makes a document once for each address. @param build the document of a server with an address */
export function renderOnce(build: (address: string) => object): (address: string) => RenderedDocument {
  let known: (RenderedDocument & { readonly address: string }) | null = null;
  return (address) => {
    if (known?.address === address) return known;
    const content = share(Buffer.from(JSON.stringify(build(address))));
    known = { content, etag: contentTag(content), address };
    return known;
  };
}

/** Sends a JSON document, or 304 if the client has it already. */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { content, etag }: RenderedDocument,
): FastifyReply {
  reply.headers({ 'cache-control': 'no-cache', etag });
  if (isUnchanged(request, etag)) return reply.status(304).send();
  return reply.type('application/json; charset=utf-8').send(content);
}
