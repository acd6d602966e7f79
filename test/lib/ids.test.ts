import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeId, encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import fastCheck from 'fast-check';
import { fromString, fromUUID, toUUIDBytes } from 'typeid-js';
import { checkProperty } from './property.ts';

/** The TypeID specification's examples (spec/valid.yml). */
const specificationExamples: readonly (readonly [prefix: string, uuid: string, id: string])[] = [
  ['prefix', '00000000-0000-0000-0000-000000000000', 'prefix_00000000000000000000000000'],
  ['prefix', '00000000-0000-0000-0000-000000000001', 'prefix_00000000000000000000000001'],
  ['prefix', '00000000-0000-0000-0000-00000000000a', 'prefix_0000000000000000000000000a'],
  ['prefix', '00000000-0000-0000-0000-000000000010', 'prefix_0000000000000000000000000g'],
  ['prefix', '00000000-0000-0000-0000-000000000020', 'prefix_00000000000000000000000010'],
  ['prefix', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'prefix_7zzzzzzzzzzzzzzzzzzzzzzzzz'],
  ['prefix', '0110c853-1d09-52d8-d73e-1194e95b5f19', 'prefix_0123456789abcdefghjkmnpqrs'],
  ['prefix', '01890a5d-ac96-774b-bcce-b302099a8057', 'prefix_01h455vb4pex5vsknk084sn02q'],
  ['pre_fix', '00000000-0000-0000-0000-000000000000', 'pre_fix_00000000000000000000000000'],
];

const base32 = '0123456789abcdefghjkmnpqrstvwxyz';
const anyUuid = fastCheck
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => Buffer.from(bytes).toString('hex'))
  .map((hex) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
const anyPrefix = fastCheck.stringMatching(/^[a-z]{1,10}$/);
const anyId = fastCheck
  .tuple(fastCheck.constantFrom(...'01234567'), fastCheck.stringMatching(new RegExp(`^[${base32}]{25}$`)))
  .map(([first, rest]) => `art_${first}${rest}`);

describe('encodeId and decodeId', () => {
  test('give the examples of the specification', () => {
    for (const [prefix, uuid, id] of specificationExamples) {
      assert.equal(encodeId(prefix, uuid), id);
      assert.equal(decodeId(prefix, id), uuid);
    }
  });

  test('agree with typeid-js on every UUID', (context) => {
    checkProperty(
      context,
      fastCheck.property(anyPrefix, anyUuid, (prefix, uuid) => {
        const id = encodeId(prefix, uuid);
        assert.equal(id, fromUUID(uuid, prefix));
        assert.equal(decodeId(prefix, id), uuid);
      }),
      2000,
    );
  });

  test('agree with typeid-js on every id', (context) => {
    checkProperty(
      context,
      fastCheck.property(anyId, (id) => {
        const uuid = decodeId('art', id);
        assert.ok(uuid !== null);
        assert.equal(uuid.replaceAll('-', ''), Buffer.from(toUUIDBytes(fromString(id))).toString('hex'));
        assert.equal(encodeId('art', uuid), id);
      }),
      2000,
    );
  });

  test('reads a UUID in upper case', () => {
    assert.equal(
      encodeId('art', '01890A5D-AC96-774B-BCCE-B302099A8057'),
      encodeId('art', '01890a5d-ac96-774b-bcce-b302099a8057'),
    );
  });

  test('encodeId refuses what is not a UUID, at every position', () => {
    const uuid = '01890a5d-ac96-774b-bcce-b302099a8057';
    for (let position = 0; position < uuid.length; position += 1) {
      for (const wrong of ['g', 'é', '~']) {
        const broken = uuid.slice(0, position) + wrong + uuid.slice(position + 1);
        assert.throws(() => encodeId('art', broken), TypeError, broken);
      }
    }
    for (const broken of ['', uuid.slice(1), `${uuid}0`, uuid.replaceAll('-', ''), `{${uuid}}`]) {
      assert.throws(() => encodeId('art', broken), TypeError, broken);
    }
  });

  test('decodeId accepts only ids of the type', () => {
    const id = 'art_01h455vb4pex5vsknk084sn02q';
    assert.notEqual(decodeId('art', id), null);
    const others = [
      '',
      'art',
      'art_',
      'book_01h455vb4pex5vsknk084sn02q',
      'arx_01h455vb4pex5vsknk084sn02q',
      'art-01h455vb4pex5vsknk084sn02q',
      '01h455vb4pex5vsknk084sn02q',
      'art_01h455vb4pex5vsknk084sn02',
      'art_01h455vb4pex5vsknk084sn02qq',
      'art_01H455VB4PEX5VSKNK084SN02Q',
      'ART_01h455vb4pex5vsknk084sn02q',
      ' art_01h455vb4pex5vsknk084sn02q',
      'art_01h455vb4pex5vsknk084sn02q ',
      'art_8zzzzzzzzzzzzzzzzzzzzzzzzz',
      'art_zzzzzzzzzzzzzzzzzzzzzzzzzz',
    ];
    for (const other of others) {
      assert.equal(decodeId('art', other), null, other);
    }
  });

  test('decodeId refuses a character outside the alphabet at every position', () => {
    const id = 'art_01h455vb4pex5vsknk084sn02q';
    for (let position = 4; position < id.length; position += 1) {
      for (const wrong of ['i', 'l', 'o', 'u', 'A', '-', '_', ' ', 'é', 'ａ', '\u0000']) {
        const broken = id.slice(0, position) + wrong + id.slice(position + 1);
        assert.equal(decodeId('art', broken), null, broken);
      }
    }
  });

  test('decodeId never throws', (context) => {
    const anyText = fastCheck.oneof(
      fastCheck.string({ unit: 'binary' }),
      fastCheck.string({ unit: 'binary', minLength: 26, maxLength: 26 }).map((suffix) => `art_${suffix}`),
    );
    checkProperty(
      context,
      fastCheck.property(anyText, (text) => {
        const uuid = decodeId('art', text);
        assert.ok(uuid === null || encodeId('art', uuid) === text);
      }),
    );
  });
});

describe('newUuid', () => {
  test('is a UUIDv7 of the current time', () => {
    const earliest = Date.now();
    const uuid = newUuid();
    assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const stamped = Number.parseInt(uuid.replace('-', '').slice(0, 12), 16);
    // Ids of a burst may run a few milliseconds ahead of the clock, never behind it.
    assert.ok(stamped >= earliest && stamped <= Date.now() + 1000, `${stamped} is not about ${earliest}`);
  });

  test('sorts in the order of creation, as UUID and as id', () => {
    const uuids = Array.from({ length: 20_000 }, () => newUuid());
    const ids = uuids.map((uuid) => encodeId('art', uuid));
    assert.deepEqual(uuids, uuids.toSorted());
    assert.deepEqual(ids, ids.toSorted());
    assert.equal(new Set(uuids).size, uuids.length);
  });

  test('keeps the order when the clock steps back by seconds', (context) => {
    context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 10_000 });
    const first = newUuid();
    context.mock.timers.setTime(Date.now() - 5_000);
    const second = newUuid();
    assert.ok(second > first, `${second} sorts before ${first}`);
  });
});
