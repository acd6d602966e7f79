import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decideIdentity, type Evidence, mayStore } from '@trellis/server/visitors/identity.ts';
import { consents } from '@trellis/server/visitors/signals.ts';
import fastCheck from 'fast-check';
import { checkProperty } from '../lib/property.ts';

const nobody: Evidence = {
  token: null,
  tokenSignalsMatch: false,
  candidates: [],
  olderMatches: 0,
  bot: false,
  mayStore: true,
};
const kept = { store: 'full', giveToken: true };

describe('decideIdentity', () => {
  test('takes the visitor of a token, surer with the same signals, whatever else looks alike', () => {
    const known = { ...nobody, token: 'a', candidates: ['b', 'c'] };
    assert.deepEqual(decideIdentity(known), { visitorId: 'a', score: 0.95, ...kept });
    assert.deepEqual(decideIdentity({ ...known, tokenSignalsMatch: true }), {
      visitorId: 'a',
      score: 0.99,
      ...kept,
    });
  });

  test('takes the only recent look-alike, the less surely the more others had its signals', () => {
    const alike = { ...nobody, candidates: ['b'] };
    assert.deepEqual(decideIdentity(alike), { visitorId: 'b', score: 0.6, ...kept });
    assert.deepEqual(decideIdentity({ ...alike, olderMatches: 1 }), { visitorId: 'b', score: 0.3, ...kept });
    assert.deepEqual(decideIdentity({ ...alike, olderMatches: 2 }).score.toFixed(3), '0.200');
    // The same visitor found twice, by two identifications, is one candidate.
    assert.equal(decideIdentity({ ...nobody, candidates: ['b', 'b'] }).visitorId, 'b');
  });

  test('guesses among several never: that is a new visitor', () => {
    const expected = { visitorId: null, score: 0.5, ...kept };
    assert.deepEqual(decideIdentity(nobody), expected);
    assert.deepEqual(decideIdentity({ ...nobody, candidates: ['b', 'c'] }), expected);
    assert.deepEqual(decideIdentity({ ...nobody, olderMatches: 1 }), expected);
  });

  test('recognizes and keeps nobody who does not want it', () => {
    const refused = { ...nobody, token: 'a', tokenSignalsMatch: true, candidates: ['a'], mayStore: false };
    const expected = { visitorId: null, score: 0.5, store: 'transient', giveToken: false };
    assert.deepEqual(decideIdentity(refused), expected);
    assert.deepEqual(decideIdentity({ ...refused, bot: true }), { ...expected, score: 0 });
  });

  test('never believes a bot, but does not multiply it', () => {
    for (const [evidence, visitorId] of [
      [{ token: 'a', tokenSignalsMatch: true }, 'a'],
      [{ candidates: ['b'] }, 'b'],
      [{}, null],
    ] as const) {
      const decision = decideIdentity({ ...nobody, ...evidence, bot: true });
      assert.deepEqual(decision, { visitorId, score: 0, ...kept });
    }
  });

  test('answers with an id it was given, or none, and a probability', (context) => {
    const id: fastCheck.Arbitrary<string> = fastCheck.constantFrom('a', 'b', 'c');
    checkProperty(
      context,
      fastCheck.property(
        fastCheck.record({
          token: fastCheck.option(id),
          tokenSignalsMatch: fastCheck.boolean(),
          candidates: fastCheck.array(id, { maxLength: 5 }),
          olderMatches: fastCheck.nat(100),
          bot: fastCheck.boolean(),
          mayStore: fastCheck.boolean(),
        }),
        (evidence) => {
          const { visitorId, score, store, giveToken } = decideIdentity(evidence);
          assert.ok(visitorId === null || [evidence.token, ...evidence.candidates].includes(visitorId));
          assert.ok(score >= 0 && score <= 0.99);
          assert.equal(score === 0, evidence.bot);
          assert.equal(store === 'full', evidence.mayStore);
          assert.equal(giveToken, evidence.mayStore);
          assert.ok(evidence.mayStore || visitorId === null);
        },
      ),
    );
  });
});

test('mayStore: not after DENIED, nor under Global Privacy Control', () => {
  for (const consent of consents) {
    for (const gpc of [undefined, '', '0', 'true', '10', '"1"']) {
      assert.equal(mayStore(consent, gpc), consent !== 'DENIED', `${consent} ${gpc}`);
    }
    // A proxy may have joined the header of several senders into one.
    for (const gpc of ['1', ' 1 ', '1, 1', '0, 1', ['1'], ['0', '1']]) {
      assert.equal(mayStore(consent, gpc), false, `${consent} ${String(gpc)}`);
    }
  }
});
