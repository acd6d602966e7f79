import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decideIdentity, type Evidence, mayStore } from '@trellis/server/features/visitors/identity.ts';
import { consents } from '@trellis/server/features/visitors/signals.ts';
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
  test('uses the visitor of a token, with a higher score for the same signals, whatever other visitors match', () => {
    const known = { ...nobody, token: 'a', candidates: ['b', 'c'] };
    assert.deepEqual(decideIdentity(known), { visitorId: 'a', score: 0.95, ...kept });
    assert.deepEqual(decideIdentity({ ...known, tokenSignalsMatch: true }), {
      visitorId: 'a',
      score: 0.99,
      ...kept,
    });
  });

  test('uses the only recent match, with a lower score the more others had its signals', () => {
    const alike = { ...nobody, candidates: ['b'] };
    assert.deepEqual(decideIdentity(alike), { visitorId: 'b', score: 0.6, ...kept });
    assert.deepEqual(decideIdentity({ ...alike, olderMatches: 1 }), { visitorId: 'b', score: 0.3, ...kept });
    assert.deepEqual(decideIdentity({ ...alike, olderMatches: 2 }).score.toFixed(3), '0.200');
    // A visitor that was found by two identifications is one candidate.
    assert.equal(decideIdentity({ ...nobody, candidates: ['b', 'b'] }).visitorId, 'b');
  });

  test('never chooses among several matches: the visitor is new', () => {
    const expected = { visitorId: null, score: 0.5, ...kept };
    assert.deepEqual(decideIdentity(nobody), expected);
    assert.deepEqual(decideIdentity({ ...nobody, candidates: ['b', 'c'] }), expected);
    assert.deepEqual(decideIdentity({ ...nobody, olderMatches: 1 }), expected);
  });

  test('does not recognize or store a visitor who refuses', () => {
    const refused = { ...nobody, token: 'a', tokenSignalsMatch: true, candidates: ['a'], mayStore: false };
    const expected = { visitorId: null, score: 0.5, store: 'transient', giveToken: false };
    assert.deepEqual(decideIdentity(refused), expected);
    assert.deepEqual(decideIdentity({ ...refused, bot: true }), { ...expected, score: 0 });
  });

  test('gives bots the score 0, but does not create a visitor for each call', () => {
    for (const [evidence, visitorId] of [
      [{ token: 'a', tokenSignalsMatch: true }, 'a'],
      [{ candidates: ['b'] }, 'b'],
      [{}, null],
    ] as const) {
      const decision = decideIdentity({ ...nobody, ...evidence, bot: true });
      assert.deepEqual(decision, { visitorId, score: 0, ...kept });
    }
  });

  test('returns one of the given ids or none, and a probability', (context) => {
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

test('mayStore is false after DENIED and with Global Privacy Control', () => {
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
