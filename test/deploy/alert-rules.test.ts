/** The alerts are valid for Prometheus, and some of them are tried on series: by promtool, where it can be had. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { findDebianPrograms } from '../support/debian.ts';

const execute = promisify(execFile);
const found = await findDebianPrograms(['promtool'], ['prometheus']);
const env = 'missing' in found ? {} : found.environment;
const skip = 'missing' in found ? found.missing : false;

test('promtool accepts the rules', { skip }, async () => {
  const { stdout } = await execute('promtool', ['check', 'rules', 'deploy/prometheus/alerts.yaml'], { env });
  assert.match(stdout, /SUCCESS: \d+ rules found/);
});

test('alerts fire and end as their tests say', { skip }, async () => {
  const { stdout } = await execute('promtool', ['test', 'rules', 'deploy/prometheus/alerts.test.yaml'], {
    env,
  });
  assert.match(stdout, /SUCCESS/);
});
