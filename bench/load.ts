/** The load generator, a separate process, so that generating load does not cost the measured server. */
import { once } from 'node:events';
import autocannon from 'autocannon';

/** Requests of one kind for a number of seconds. */
export interface Load {
  readonly url: string;
  readonly seconds: number;
  readonly connections: number;
  /** Each request is drawn from these anew: connections that walk a list in step would meet at the same record. */
  readonly requests: readonly LoadRequest[];
  readonly headers: Readonly<Record<string, string>>;
}

export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** JSON; `{number}` in it becomes another number for each request, so that every write changes something. */
  readonly body?: string;
}

export interface LoadResult {
  /** Requests that got 2xx. */
  readonly requests: number;
  readonly requestsPerSecond: number;
  /** Milliseconds; half of the requests, all but one of twenty, and all but one of a hundred, took no longer. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** Other responses, broken connections and timeouts. */
  readonly failures: number;
}

process.on('message', (load: Load) => {
  run(load).then(
    (result) => process.send?.(result),
    (error: Error) => {
      process.stderr.write(`${error.stack}\n`);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit());

let requestNumber = 0;

async function run(load: Load): Promise<LoadResult> {
  // autocannon's own histogram knows whole milliseconds only, too coarse for requests of one millisecond.
  const milliseconds: number[] = [];
  const instance = autocannon(
    {
      url: load.url,
      connections: load.connections,
      duration: load.seconds,
      requests: [{ setupRequest: (request) => ({ ...request, ...nextRequest(load) }) }],
    },
    () => undefined,
  );
  instance.on('response', (_client, _status, _bytes, time) => milliseconds.push(time));
  const [result] = (await once(instance, 'done')) as [autocannon.Result];
  milliseconds.sort((left, right) => left - right);
  const percentile = (part: number) => milliseconds[Math.floor(milliseconds.length * part)] ?? 0;
  return {
    requests: result['2xx'],
    requestsPerSecond: result['2xx'] / result.duration,
    p50: percentile(0.5),
    p95: percentile(0.95),
    p99: percentile(0.99),
    failures: result.non2xx + result.errors + result.timeouts,
  };
}

function nextRequest({ requests, headers }: Load): autocannon.Request {
  const drawn = requests[Math.floor(Math.random() * requests.length)];
  if (drawn === undefined) throw new Error('a load needs a request');
  const { method, path, body } = drawn;
  if (body === undefined) return { method, path, headers: { ...headers } };
  requestNumber += 1;
  const number = `${process.pid}-${requestNumber}`;
  return {
    method,
    path,
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': `bench-${number}` },
    body: body.replaceAll('{number}', number),
  };
}
