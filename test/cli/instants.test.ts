/** Dates as other systems and people write them, and the zones in which those without an offset are read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readInstant } from '@trellis/importer/instants.ts';

test('dates in the forms that people and site generators write', () => {
  const cases: [string, string | undefined][] = [
    ['2018-01-04', '2018-01-04T00:00:00.000Z'],
    ['2018-1-4', '2018-01-04T00:00:00.000Z'],
    ['2018/01/04', '2018-01-04T00:00:00.000Z'],
    ['2018.1.4', '2018-01-04T00:00:00.000Z'],
    ['20180104', '2018-01-04T00:00:00.000Z'],
    ['20180104T103015Z', '2018-01-04T10:30:15.000Z'],
    ['4.1.2018', '2018-01-04T00:00:00.000Z'],
    ['04.01.2018 10:30 Uhr', '2018-01-04T10:30:00.000Z'],
    ['2018-01-04 10:30', '2018-01-04T10:30:00.000Z'],
    ['2018/1/4 1:30 PM', '2018-01-04T13:30:00.000Z'],
    ['2018-01-04 12:05 a.m.', '2018-01-04T00:05:00.000Z'],
    ['2018-01-04 10:30:15 +0100', '2018-01-04T09:30:15.000Z'],
    ['2018-01-04 10:30:15 +01:00', '2018-01-04T09:30:15.000Z'],
    ['2018-01-04T10:30:15.25Z', '2018-01-04T10:30:15.250Z'],
    ['2018-01-04 10:30:15 -08', '2018-01-04T18:30:15.000Z'],
    ['2018-01-04T10:30:15', '2018-01-04T10:30:15.000Z'],
    ['2016-05-06 07:08:09 PST', '2016-05-06T15:08:09.000Z'],
    ['2016-05-06 07:08:09 CEST', '2016-05-06T05:08:09.000Z'],
    ['2016-05-06 07:08:09 Europe/Berlin', '2016-05-06T05:08:09.000Z'],
    ['2016-05-06 07:08:09 UTC+2', undefined],
    ['Thu, 04 Jan 2018 10:30:15 GMT', '2018-01-04T10:30:15.000Z'],
    ['Thu Jan 04 2018 10:30:15 GMT+0100 (Central European Standard Time)', '2018-01-04T09:30:15.000Z'],
    ['March 4, 2015', '2015-03-04T00:00:00.000Z'],
    ['Mar 4th, 2015 at 9:30 am', '2015-03-04T09:30:00.000Z'],
    ['4 March 2015', '2015-03-04T00:00:00.000Z'],
    ['4. März 2015', '2015-03-04T00:00:00.000Z'],
    ['Sept. 4, 2015', '2015-09-04T00:00:00.000Z'],
    ['2018-02-30', undefined],
    ['2018-01-04 25:00', undefined],
    ['2018-01-04 13:00 PM', undefined],
    ['2018-01-04 10:00 XYZ', undefined],
    ['2018-01-04 10:00 toString', undefined],
    ['5/1/2018', undefined],
    ['Smarch 4, 2015', undefined],
    ['2018-01-04 or so', undefined],
    ['2018', undefined],
    ['', undefined],
    [`2018-01-04 ${' '.repeat(100)}`, '2018-01-04T00:00:00.000Z'],
    [`2018-01-04 ${'at '.repeat(100)}`, undefined],
  ];
  for (const [written, instant] of cases) assert.equal(readInstant(written)?.instant, instant, written);
});

test('a date without an offset is that of the clock of its zone, also where the clock is changed', () => {
  const cases: [string, string, string][] = [
    ['2027-07-01 09:00', 'Europe/Berlin', '2027-07-01T07:00:00.000Z'],
    ['2027-01-01 09:00', 'Europe/Berlin', '2027-01-01T08:00:00.000Z'],
    ['2027-07-01', 'America/New_York', '2027-07-01T04:00:00.000Z'],
    ['2027-07-01T09:00:00', 'Asia/Kathmandu', '2027-07-01T03:15:00.000Z'],
    ['2027-07-01', 'Pacific/Auckland', '2027-06-30T12:00:00.000Z'],
    // The hour that is skipped in spring, and the first of the two in autumn.
    ['2027-03-28 02:30:10.5', 'Europe/Berlin', '2027-03-28T01:30:10.500Z'],
    ['2027-10-31 02:30', 'Europe/Berlin', '2027-10-31T00:30:00.000Z'],
    // A day that begins at 1:00.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    // A day that there was not.
    ['2011-12-30 12:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z'],
  ];
  for (const [written, zone, instant] of cases) {
    assert.deepEqual(readInstant(written, zone), { instant, isLocal: true }, `${written} ${zone}`);
  }
  for (const written of [
    '2027-07-01 09:00:00 +0200',
    '2027-07-01T07:00:00Z',
    '2027-07-01 09:00 Europe/Berlin',
    '2027-07-01 09:00 CEST',
  ]) {
    assert.deepEqual(
      readInstant(written, 'America/New_York'),
      { instant: '2027-07-01T07:00:00.000Z', isLocal: false },
      written,
    );
  }
});
