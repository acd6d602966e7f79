/** Tests of wall clocks: an input shows the clock of the site, and means an instant. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toInstant, toWallTime } from '@trellis/schema/values/zones.ts';
import fastCheck from 'fast-check';
import { checkProperty } from '../lib/property.ts';

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
];
const minute = 60_000;

test('what a clock shows means an instant at which it shows that', (context) => {
  const instants = fastCheck.integer({ min: Date.UTC(2020, 0) / minute, max: Date.UTC(2040, 0) / minute });
  checkProperty(
    context,
    fastCheck.property(instants, fastCheck.constantFrom(...zones), (minutes, zone) => {
      const shown = toWallTime(new Date(minutes * minute), zone);
      const instant = toInstant(shown, zone);
      assert.ok(instant !== null);
      assert.equal(toWallTime(instant, zone), shown);
      assert.ok(instant.getTime() <= minutes * minute, 'the first of two');
    }),
  );
});

test('an hour that is skipped in spring is an hour later, and one that is shown twice is the first', () => {
  const iso = (wallTime: string, zone: string) => toInstant(wallTime, zone)?.toISOString();
  assert.equal(iso('2027-03-28T02:30', 'Europe/Berlin'), '2027-03-28T01:30:00.000Z');
  assert.equal(iso('2027-10-31T02:30', 'Europe/Berlin'), '2027-10-31T00:30:00.000Z');
  assert.equal(iso('2027-01-15T09:00', 'America/New_York'), '2027-01-15T14:00:00.000Z');
  assert.equal(toInstant('', 'UTC'), null);
});
