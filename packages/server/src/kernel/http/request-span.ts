/** The span of a request, by the semantic conventions of HTTP (https://opentelemetry.io/docs/specs/semconv/http/http-spans/). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Span, startRequestSpan } from '../lib/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent: the request is not traced. */
    span?: Span;
  }
}

/** Starts the span of a request. Paths and queries are not in it: they may contain what only the caller may know. */
export function startSpan(request: FastifyRequest): void {
  const { traceparent } = request.headers;
  const span = startRequestSpan(
    { name: 'HTTP', kind: 'server', attributes: {} },
    typeof traceparent === 'string' ? traceparent : undefined,
  );
  if (span !== null) request.span = span;
}

/** Ends the span when the response has been sent. @param route as metrics name it */
export function endSpan(
  { span, id, protocol, credentials, publishableKey }: FastifyRequest,
  { statusCode }: FastifyReply,
  { route, method }: { readonly route: string; readonly method: string },
): void {
  if (!span) return;
  const organizationId = (credentials ?? publishableKey)?.organizationId;
  const isKnown = method !== 'unknown';
  span.set(
    {
      'http.request.method': isKnown ? method : '_OTHER',
      'http.response.status_code': statusCode,
      'url.scheme': protocol,
      'trellis.request.id': id,
      ...(isKnown ? { 'http.route': route } : {}),
      ...(organizationId === undefined ? {} : { 'trellis.organization.id': organizationId }),
    },
    isKnown ? `${method} ${route}` : 'HTTP',
  );
  span.end(statusCode >= 500 ? String(statusCode) : undefined);
}
