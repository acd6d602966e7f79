/** Traces: what is exported of requests and background work, and what is not. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import {
  AlwaysOnSampler,
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import { BoundedSampler, traceLimits } from '@trellis/server/adapters/tracing/bounded-sampler.ts';
import { startTracing } from '@trellis/server/adapters/tracing/start.ts';
import { traceStep, traceWork } from '@trellis/server/kernel/lib/tracing.ts';
import { pino } from 'pino';
import { settingsOf, startServing } from '../support/program.ts';
import { countRunningTime } from '../support/running-time.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { startTraceCollector, type TraceCollector } from '../support/trace-collector.ts';
import { until } from '../support/until.ts';

const inherited = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name.startsWith('OTEL_')),
);
let server: TestServer;
let collector: TraceCollector;
const lines: string[] = [];
let tracing: { close(): Promise<void> } | null = null;

before(async () => {
  server = await startTestServer({ log: (line) => lines.push(line), logLevel: 'trace' });
});
after(() => server?.close());
beforeEach(async () => {
  collector = await startTraceCollector();
  lines.length = 0;
});
afterEach(async () => {
  await tracing?.close();
  tracing = null;
  await collector.close();
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name];
  Object.assign(process.env, inherited);
});

async function open(more: Readonly<Record<string, string>> = {}): Promise<void> {
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_SERVICE_NAME: 'trellis-test',
    OTEL_BSP_SCHEDULE_DELAY: '20',
    ...more,
  });
  tracing = await startTracing(process.env, pino({}, { write: (line) => lines.push(line) }));
  assert.ok(tracing !== null);
}

/** Ends tracing, so that everything has been exported. */
async function finish(): Promise<void> {
  await tracing?.close();
  tracing = null;
}

const traceId = randomBytes(16).toString('hex');
const parentId = randomBytes(8).toString('hex');

test('a create is a span of the caller’s trace, with its batches below it', async () => {
  await open({ OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=abc' });
  const key = randomUUID();
  const created = await server.call('POST', '/v1/sites', {
    body: { key: 'traced', name: 'Traced unmistakably', defaultLocale: 'en' },
    key,
    headers: { traceparent: `00-${traceId}-${parentId}-01`, 'x-request-id': 'traced-request' },
  });
  assert.equal(created.status, 201, created.text);
  await finish();
  const spans = collector.spans.filter((span) => span.traceId === traceId);
  const [request, ...others] = spans.filter(({ kind }) => kind === 2);
  assert.ok(request !== undefined && others.length === 0);
  assert.equal(request.name, 'POST /v1/sites');
  assert.equal(request.parentSpanId, parentId);
  assert.deepEqual(request.attributes, {
    'http.request.method': 'POST',
    'http.response.status_code': '201',
    'http.route': '/v1/sites',
    'url.scheme': 'http',
    'trellis.organization.id': server.organization.id,
    'trellis.request.id': 'traced-request',
  });
  const batches = spans.filter(({ kind }) => kind === 3);
  // At least the two batches of a write.
  assert.ok(batches.length >= 2, String(batches.length));
  assert.ok(batches.some(({ attributes }) => attributes['db.query.summary']?.endsWith('trellis_commit')));
  for (const batch of batches) {
    assert.equal(batch.parentSpanId, request.spanId);
    assert.equal(batch.attributes['db.system.name'], 'postgresql');
    assert.ok(Number(batch.attributes['db.operation.batch.size']) >= 1);
    assert.match(batch.attributes['db.query.summary'] ?? '', /^[\w .-]+$/);
  }
  assert.equal(collector.resources[0]?.['service.name'], 'trellis-test');
  assert.equal(collector.headers[0]?.['x-collector-key'], 'abc');
  for (const secret of ['Traced unmistakably', server.token, key, server.ownerId, '@example']) {
    assert.ok(!collector.text().includes(secret), secret);
  }
  const logged = lines
    .map((line) => JSON.parse(line))
    .find(({ requestId }) => requestId === 'traced-request');
  assert.equal(logged.traceId, traceId);
});

test('the path of an unknown route, and a malformed traceparent, are not exported', async () => {
  await open();
  await server.call('GET', '/v1/secret-path?token=secret-query', { headers: { traceparent: 'nonsense' } });
  await server.call('GET', '/v1/sites', { token: null });
  await finish();
  const names = collector.spans.filter(({ kind }) => kind === 2).map(({ name }) => name);
  assert.deepEqual(names.sort(), ['GET /v1/sites', 'HTTP']);
  assert.doesNotMatch(collector.text(), /secret|nonsense/);
  const refused = collector.spans.find(({ name }) => name === 'GET /v1/sites');
  assert.equal(refused?.attributes['http.response.status_code'], '401');
  assert.equal(refused?.attributes['trellis.organization.id'], undefined);
});

test('a failing step says only what kind of error it was', async () => {
  await open();
  const failure = Object.assign(new Error('secret message'), { code: '23505' });
  const work = traceWork({ name: 'work', kind: 'internal', attributes: {} }, () =>
    traceStep(
      () => ({ name: 'step', kind: 'client', attributes: {} }),
      () => Promise.reject(failure),
    ),
  );
  await assert.rejects(work, failure);
  await finish();
  const step = collector.spans.find(({ name }) => name === 'step');
  assert.equal(step?.attributes['error.type'], '23505');
  assert.equal(step?.status.code, 2);
  assert.doesNotMatch(collector.text(), /secret/);
});

test('a trace has a limited number of steps', async () => {
  await open();
  await traceWork({ name: 'long', kind: 'internal', attributes: {} }, async () => {
    for (let index = 0; index < 150; index += 1) {
      await traceStep(
        () => ({ name: 'step', kind: 'client', attributes: {} }),
        async () => undefined,
      );
    }
  });
  await finish();
  assert.equal(collector.spans.filter(({ name }) => name === 'step').length, 100);
});

/** How many of 10,000 traces are sampled. */
function sample(sampler: BoundedSampler, caller: { id: string; flags: TraceFlags } | null): number {
  const context = () =>
    caller === null
      ? ROOT_CONTEXT
      : trace.setSpanContext(ROOT_CONTEXT, {
          traceId: caller.id,
          spanId: parentId,
          traceFlags: caller.flags,
          isRemote: true,
        });
  let sampled = 0;
  for (let index = 0; index < 10_000; index += 1) {
    const id = caller?.id ?? randomBytes(16).toString('hex');
    const { decision } = sampler.shouldSample(context(), id, 'HTTP', SpanKind.SERVER, {}, []);
    if (decision === SamplingDecision.RECORD_AND_SAMPLED) sampled += 1;
  }
  return sampled;
}

/** Whether a count is the limit, or what became available meanwhile. */
function assertLimit(count: number, limit: number): void {
  assert.ok(count >= limit && count < limit * 1.2, String(count));
}

test('callers cannot force traces beyond a limit, neither by the flag nor by the id', () => {
  const none = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(0) });
  const flagged = { id: traceId, flags: TraceFlags.SAMPLED };
  assertLimit(sample(new BoundedSampler(none), flagged), traceLimits.chosenByCallers);
  assert.equal(sample(new BoundedSampler(none), { ...flagged, flags: TraceFlags.NONE }), 0);
  assert.equal(sample(new BoundedSampler(none), null), 0);
  // A ratio selects by the id, which the caller has chosen.
  const rare = new TraceIdRatioBasedSampler(0.000_001);
  const selected = { id: '0'.repeat(31).concat('1'), flags: TraceFlags.SAMPLED };
  assertLimit(sample(new BoundedSampler(rare), selected), traceLimits.chosenByCallers);
  assertLimit(sample(new BoundedSampler(new AlwaysOnSampler()), null), traceLimits.all);
});

test('a collector that fails harms no request, and is reported once', async () => {
  collector.respondWith(400);
  await open();
  const failures = () => lines.filter((line) => line.includes('Traces cannot be exported'));
  for (let index = 0; index < 3; index += 1) {
    assert.equal((await server.call('GET', '/v1/sites')).status, 200);
    await until('it was exported', () => collector.received() > index);
  }
  collector.respondWith(200);
  await until('traces are exported again', async () => {
    await server.call('GET', '/v1/sites');
    return lines.some((line) => line.includes('Traces are exported again'));
  });
  assert.equal(failures().length, 1);
});

test('a collector that does not respond delays the end for two seconds at most', async () => {
  collector.respondWith(null);
  await open({ OTEL_BSP_SCHEDULE_DELAY: '60000' });
  await server.call('GET', '/v1/sites');
  const stop = countRunningTime();
  await finish();
  const took = stop();
  assert.ok(took < 4, `${took} s`);
});

test('nothing is traced without an endpoint, or when it is disabled', async () => {
  const log = pino({ level: 'silent' });
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint };
  for (const environment of [
    {},
    { OTEL_SERVICE_NAME: 'trellis' },
    { ...endpoint, OTEL_SDK_DISABLED: 'true' },
    { ...endpoint, OTEL_TRACES_EXPORTER: 'none' },
  ]) {
    assert.equal(await startTracing(environment, log), null);
  }
  await server.call('GET', '/v1/sites');
  assert.deepEqual(collector.spans, []);
});

test('a serving process traces its background work, and exports the last spans before it ends', async () => {
  const program = await startServing(['--port', '0'], {
    ...settingsOf(server.database),
    TRELLIS_LOG_LEVEL: 'debug',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '60000',
  });
  try {
    const response = await fetch(`${program.url}/v1/sites`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
        'x-request-id': 'in-a-process',
      },
      body: JSON.stringify({ key: 'process', name: 'Process', defaultLocale: 'en' }),
    });
    assert.equal(response.status, 201, await response.text());
    // Whose spans nobody has sent yet: the delay is a minute.
    await until('the event is relayed', async () => {
      const feed = await fetch(`${program.url}/v1/events?from=earliest`, {
        headers: { authorization: `Bearer ${server.token}` },
      });
      const { items } = (await feed.json()) as { items: { type: string }[] };
      return items.length >= 2;
    });
  } finally {
    assert.equal(await program.end('SIGTERM'), 0);
  }
  const names = collector.spans.map(({ name }) => name);
  assert.ok(names.includes('POST /v1/sites'), names.join());
  assert.ok(names.includes('relay events'), names.join());
  assert.equal(collector.resources[0]?.['service.name'], 'trellis');
  const logged = program.log.find(({ requestId, msg }) => requestId === 'in-a-process' && msg === 'request');
  assert.equal(logged?.traceId, collector.spans.find(({ name }) => name === 'POST /v1/sites')?.traceId);
});
