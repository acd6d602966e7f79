/** A collector of traces (OTLP over HTTP, JSON) for tests. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
}

/** A span as it was exported, with attributes by name. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** SPAN_KIND_INTERNAL, _SERVER, _CLIENT, _PRODUCER: 1 to 4. */
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: Readonly<Record<string, string>>;
}

export interface TraceCollector {
  readonly endpoint: string;
  readonly spans: CollectedSpan[];
  readonly resources: Readonly<Record<string, string>>[];
  /** Of the requests received. */
  readonly headers: IncomingHttpHeaders[];
  /** The number of requests received, whatever the response was. */
  received(): number;
  /** Everything received, as text. */
  text(): string;
  /** The status of responses from now on; null: none is sent. */
  respondWith(status: number | null): void;
  close(): Promise<void>;
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const resources: Record<string, string>[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const texts: string[] = [];
  let received = 0;
  let status: number | null = 200;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    received += 1;
    if (status === null) return;
    if (status === 200 && request.url === '/v1/traces') {
      const text = Buffer.concat(chunks).toString('utf8');
      texts.push(text);
      headers.push(request.headers);
      for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
        resources.push(byName(resource.attributes));
        for (const { spans: received } of scopeSpans) {
          for (const span of received) spans.push({ ...span, attributes: byName(span.attributes) });
        }
      }
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resources,
    headers,
    received: () => received,
    text: () => texts.join('\n'),
    respondWith(next) {
      status = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function byName(attributes: readonly Attribute[]): Record<string, string> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue)]),
  );
}
