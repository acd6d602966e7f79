/** The dashboard for Grafana and the alerts for Prometheus use metrics and labels that a server really has. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { readMetrics, settingsOf, startServing } from '../support/program.ts';

/** A panel, as far as the tests read it (https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/view-dashboard-json-model/). */
interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly datasource?: { readonly uid: string };
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
}
interface Dashboard {
  readonly uid: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
}
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

/** What Prometheus adds to each series. */
const added = ['job', 'instance'];

let database: TestDatabase;
let dashboard: Dashboard;
let rules: readonly Rule[];
before(async () => {
  database = await createTestDatabase({ poolSize: 2 });
  dashboard = JSON.parse(await readFile('deploy/grafana/trellis.json', 'utf8'));
  rules = parse(await readFile('deploy/prometheus/alerts.yaml', 'utf8')).groups[0].rules;
});
after(() => database?.drop());

/** Names of series with their labels; null for series without a sample. */
function readSeries(text: string): Map<string, Set<string> | null> {
  const series = new Map<string, Set<string> | null>();
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    for (const suffix of suffixes) series.set(`${name}${suffix}`, null);
  }
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = series.get(name) ?? new Set();
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
    series.set(name, known);
  }
  return series;
}

/** What is wrong with the names in a query. */
function faultsOf(query: string, series: ReadonlyMap<string, ReadonlySet<string> | null>): string[] {
  const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/[ ,]+/));
  const known = new Set(added);
  let isComplete = true;
  const faults: string[] = [];
  for (const [, name = '', selector = ''] of query.matchAll(/\b((?:trellis_\w+|up)\b)(?:\{([^}]*)\})?/g)) {
    if (name === 'up') continue;
    const labels = series.get(name);
    if (labels === undefined) faults.push(`no metric ${name}`);
    if (labels === null) isComplete = false;
    for (const label of labels ?? []) known.add(label);
    for (const [, label = ''] of selector.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)) {
      if (labels && !labels.has(label) && !added.includes(label))
        faults.push(`${name} has no label ${label}`);
    }
  }
  if (isComplete) {
    for (const label of grouped.filter((one) => one !== ''))
      if (!known.has(label)) faults.push(`no label ${label}`);
  }
  return faults.map((fault) => `${fault}: ${query}`);
}

test('every metric and label that they use exists', async () => {
  // A Redis that is away has the same metrics.
  const settings = { ...settingsOf(database), TRELLIS_REDIS_URL: 'redis://127.0.0.1:1' };
  const server = await startServing(['--port', '0'], settings);
  let text: string;
  try {
    assert.equal((await fetch(`${server.url}/v1/sites`)).status, 401);
    text = await readMetrics(server);
  } finally {
    await server.end('SIGTERM');
  }
  const series = readSeries(text);
  const queries = [
    ...rules.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...dashboard.templating.list.flatMap(({ definition = '' }) => definition.replace(/, \w+\)$/, ')')),
  ];
  assert.ok(queries.length > 30);
  assert.deepEqual(
    queries.flatMap((query) => faultsOf(query, series)),
    [],
  );
  // Of the test itself.
  assert.equal(faultsOf('sum(trellis_no_such_metric)', series).length, 1);
  assert.equal(faultsOf('sum by (colour) (trellis_refusals_total{shape="x"})', series).length, 2);
});

test('the panels of the dashboard are complete and do not overlap', () => {
  const { panels, templating, uid, schemaVersion } = dashboard;
  assert.equal(uid, 'trellis');
  assert.ok(schemaVersion >= 36);
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  const variables = new Set([...templating.list.map(({ name }) => name), '__rate_interval']);
  const taken = new Set<string>();
  for (const { type, title, gridPos, targets = [], datasource } of panels) {
    assert.ok(['row', 'stat', 'timeseries'].includes(type), type);
    assert.ok(title !== '' && gridPos.x + gridPos.w <= 24, title);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        assert.ok(!taken.has(`${x},${y}`), title);
        taken.add(`${x},${y}`);
      }
    }
    if (type === 'row') continue;
    assert.match(datasource?.uid ?? '', /^\$\{datasource\}$/);
    assert.ok(targets.length > 0, title);
    assert.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length, title);
    for (const { expr } of targets) {
      for (const [, name = ''] of expr.matchAll(/\$(\w+)/g))
        assert.ok(variables.has(name), `${name}: ${expr}`);
    }
  }
});

test('every alert has a duration, a severity, a summary and what to do', () => {
  assert.ok(rules.length >= 9);
  for (const { alert, for: duration, labels, annotations } of rules) {
    assert.match(alert, /^Trellis[A-Z]\w+$/);
    assert.match(duration, /^\d+m$/);
    assert.ok(['critical', 'warning'].includes(labels.severity), alert);
    assert.ok(annotations.summary.length > 0 && annotations.description.length > 0, alert);
  }
});
