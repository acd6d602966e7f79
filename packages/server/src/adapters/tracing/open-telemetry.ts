/** The tracer of OpenTelemetry: spans are exported by OTLP over HTTP (JSON). Loaded only if it is configured. */
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { ExportResultCode, getNumberFromEnv, getStringFromEnv, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import packageFile from '../../../../../package.json' with { type: 'json' };
import type { Span, SpanDescription, Tracer } from '../../kernel/lib/tracing.ts';
import { BoundedSampler } from './bounded-sampler.ts';

/** How long the last spans may take, in ms. */
const flushMs = 2_000;
/** Maximum number of characters of an attribute. */
const attributeCharacters = 256;

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  internal: SpanKind.INTERNAL,
} as const;

/** A tracer, and how to end it. */
export interface OpenedTracer {
  readonly tracer: Tracer;
  /** Exports the spans that are left, for two seconds at most. */
  close(): Promise<void>;
}

/** Opens the tracer that the variables `OTEL_…` of the process describe. @throws Error for variables that cannot be used */
export function openTracer(log: Logger): OpenedTracer {
  const processor = new BatchSpanProcessor({
    exporter: reportChanges(new OTLPTraceExporter(), log),
    maxQueueSize: getNumberFromEnv('OTEL_BSP_MAX_QUEUE_SIZE') ?? 2_048,
    maxExportBatchSize: getNumberFromEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE') ?? 512,
    scheduledDelayMillis: getNumberFromEnv('OTEL_BSP_SCHEDULE_DELAY') ?? 5_000,
    exportTimeoutMillis: getNumberFromEnv('OTEL_BSP_EXPORT_TIMEOUT') ?? 30_000,
  });
  const named = resourceFromAttributes({ 'service.name': 'trellis', 'service.version': packageFile.version });
  const provider = new TracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })).merge(readServiceName()),
    sampler: new BoundedSampler(readSampler(log)),
    spanLimits: { attributeValueLengthLimit: attributeCharacters },
    spanProcessors: [processor],
  });
  return {
    tracer: createTracer(provider),
    async close() {
      const late = new Promise<void>((resolve) => {
        setTimeout(resolve, flushMs).unref();
      });
      // Spans that cannot be exported were reported.
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}

function createTracer(provider: TracerProvider): Tracer {
  const tracer = provider.getTracer('trellis', packageFile.version);
  const contexts = new WeakMap<Span, Context>();
  return {
    start(description, parent, traceparent) {
      const outer = parent === null ? readCaller(traceparent) : (contexts.get(parent) ?? ROOT_CONTEXT);
      const { name, kind, attributes }: SpanDescription = description;
      const started = tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes } }, outer);
      const span: Span = {
        traceId: started.spanContext().traceId,
        isSampled: started.isRecording(),
        set(more, newName) {
          started.setAttributes({ ...more });
          if (newName !== undefined) started.updateName(newName);
        },
        end(errorType) {
          if (errorType !== undefined) {
            started.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR });
          }
          started.end();
        },
      };
      contexts.set(span, trace.setSpan(ROOT_CONTEXT, started));
      return span;
    },
  };
}

/** The context that a `traceparent` describes. Its `tracestate` is not read: nothing is sent on. */
function readCaller(traceparent: string | undefined): Context {
  const caller = traceparent === undefined ? null : parseTraceParent(traceparent);
  return caller === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true });
}

/** `OTEL_SERVICE_NAME`, which is above `OTEL_RESOURCE_ATTRIBUTES`. */
function readServiceName() {
  const name = getStringFromEnv('OTEL_SERVICE_NAME');
  return resourceFromAttributes(name === undefined ? {} : { 'service.name': name });
}

/** The sampler of `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG`, as the specification of the SDK describes them. */
function readSampler(log: Logger): Sampler {
  const name = getStringFromEnv('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on';
  const given = getNumberFromEnv('OTEL_TRACES_SAMPLER_ARG') ?? 1;
  const roots: Readonly<Record<string, Sampler>> = {
    always_on: new AlwaysOnSampler(),
    always_off: new AlwaysOffSampler(),
    traceidratio: new TraceIdRatioBasedSampler(given),
  };
  const root = roots[name.replace(/^parentbased_/, '')];
  if (root !== undefined) return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
  log.warn({ sampler: name }, 'OTEL_TRACES_SAMPLER names no known sampler: parentbased_always_on is used');
  return new ParentBasedSampler({ root: new AlwaysOnSampler() });
}

/** Logs when exporting begins to fail, and when it succeeds again. */
function reportChanges(exporter: SpanExporter, log: Logger): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS;
        if (failed && !isFailing) {
          log.warn(
            { reason: result.error?.message },
            'Traces cannot be exported, and are dropped until they can',
          );
        } else if (!failed && isFailing) log.info('Traces are exported again');
        isFailing = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
