/**
 * Spans of requests and of background work. Without a tracer, which `node/tracing` installs if OpenTelemetry is configured, each
 * function only calls the work. The tracer belongs to the process, because what creates spans is in every layer.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** What a span describes. No attribute may contain a body, a token, a parameter of a query, an address or a name of a person. */
export interface SpanDescription {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'producer' | 'internal';
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** A span that has begun. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Whether it will be exported. */
  readonly isSampled: boolean;
  /** Adds attributes; a name replaces the name. */
  set(attributes: Readonly<Record<string, string | number>>, name?: string): void;
  /** @param errorType a class of errors, if the work failed */
  end(errorType?: string): void;
}

export interface Tracer {
  /** Starts a span below another one; null: a trace of its own, or one that the caller's `traceparent` continues. */
  start(description: SpanDescription, parent: Span | null, traceparent?: string): Span;
}

/** Maximum number of spans directly below another one: an event stream queries for minutes. */
const maxChildren = 100;

const active = new AsyncLocalStorage<Span>();
const children = new WeakMap<Span, number>();
let tracer: Tracer | null = null;

/** Traces from now on; null: no longer. */
export function installTracer(installed: Tracer | null): void {
  tracer = installed;
}

/** Starts the span of a received request; null without a tracer. @param traceparent the header (W3C Trace Context) */
export function startRequestSpan(description: SpanDescription, traceparent: string | undefined): Span | null {
  return tracer?.start(description, null, traceparent) ?? null;
}

/** Does work as a part of a span. */
export function within<T>(span: Span | undefined, work: () => T): T {
  return span ? active.run(span, work) : work();
}

/** The trace that the current work belongs to. */
export function currentTraceId(): string | undefined {
  return tracer === null ? undefined : active.getStore()?.traceId;
}

/** Does a part of traced work as a span of its own. Outside of a trace, it only does the work. */
export function traceStep<T>(describe: () => SpanDescription, work: () => Promise<T>): Promise<T> {
  if (tracer === null) return work();
  const parent = active.getStore();
  if (parent === undefined || !parent.isSampled) return work();
  const count = children.get(parent) ?? 0;
  if (count >= maxChildren) return work();
  children.set(parent, count + 1);
  return run(tracer.start(describe(), parent), work);
}

/** Does work of the background as a trace. */
export function traceWork<T>(
  description: SpanDescription,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  if (tracer === null) return work(null);
  const span = tracer.start(description, null);
  return run(span, () => work(span));
}

async function run<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await active.run(span, work);
    span.end();
    return result;
  } catch (error) {
    span.end(errorTypeOf(error));
    throw error;
  }
}

/** The code or the class of an error. Its message may contain data. */
function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : error.name;
}
