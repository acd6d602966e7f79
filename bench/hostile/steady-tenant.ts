/**
 * The load generator of the measured tenant, a separate program. It is an open loop: a request is sent when it is due,
 * however long the previous ones take, and its latency counts from then on.
 */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Sent, send } from './client.ts';
import type { SteadyLoad, SteadyResult } from './load.ts';

const agent = new Agent({ keepAlive: true });
/** How long to wait for responses after the last request was sent, in ms. */
const patienceMs = 15_000;

/** The requests in their sequence: half are reads of one record, a fifth are writes. */
const mix = ['get', 'list', 'get', 'create', 'get', 'search', 'get', 'list', 'get', 'patch'] as const;

function requestOf(kind: (typeof mix)[number], number: number, { target, articles }: SteadyLoad): Sent {
  const collection = `/v1/sites/${target.site}/articles`;
  const item = `${collection}/${articles[number % articles.length]}`;
  const versionData = { title: `Lettuce ${number}`, body: 'Sow in March, harvest in June.' };
  switch (kind) {
    case 'get':
      return { method: 'GET', path: item };
    case 'list':
      return { method: 'GET', path: `${collection}?limit=10&fields=state,versionData.title` };
    case 'search':
      return { method: 'GET', path: `${collection}/search?query=lettuce&limit=5` };
    case 'create':
      return { method: 'POST', path: collection, body: JSON.stringify({ versionData }) };
    case 'patch':
      return {
        method: 'PATCH',
        path: item,
        body: JSON.stringify({ versionData: { title: versionData.title } }),
      };
  }
}

async function run(load: SteadyLoad): Promise<SteadyResult> {
  const milliseconds: Record<string, number[]> = {};
  const refusals: Record<string, number> = {};
  const count = load.rate * load.seconds;
  const start = performance.now();
  const calls: Promise<void>[] = [];
  const call = async (number: number, due: number) => {
    const kind = mix[number % mix.length] ?? 'get';
    const { status } = await send(load.target, agent, requestOf(kind, number, load));
    const times = milliseconds[kind] ?? [];
    milliseconds[kind] = times;
    times.push(performance.now() - due);
    if (status >= 200 && status < 300) return;
    refusals[`${kind} ${status}`] = (refusals[`${kind} ${status}`] ?? 0) + 1;
  };
  for (let number = 0; number < count; number += 1) {
    const due = start + (number * 1_000) / load.rate;
    const rest = due - performance.now();
    if (rest > 0) await sleep(rest);
    // A timer that fires late is this process's delay and is not counted.
    calls.push(call(number, Math.max(due, performance.now())));
  }
  await Promise.race([Promise.all(calls), sleep(patienceMs)]);
  const responded = Object.values(milliseconds).reduce((sum, times) => sum + times.length, 0);
  if (responded < count) refusals['without a response'] = count - responded;
  return { milliseconds, refusals };
}

process.on('message', (load: SteadyLoad) => {
  run(load).then((result) => process.send?.(result));
});
process.once('disconnect', () => process.exit());
