/**
 * Random sequences of commands over all resources, run against the server and against a model written from the
 * specification: the two never differ.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { resources } from '@trellis/schema/resources/index.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import fastCheck from 'fast-check';
import { checkSequences } from '../lib/property.ts';
import { assertNoOrphans } from '../support/orphans.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { amount } from '../support/soak.ts';
import { expectEqual } from './conversation.ts';
import { isFile } from './files.ts';
import { createPairs, type Organization } from './organizations.ts';
import { type Intent, kinds } from './requests.ts';
import { Sequence } from './sequence.ts';
import { closureOf, type State } from './state.ts';

const sequences = amount(100, 1_000);
const pairsAtOnce = 50;

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(async () => {
  await assertNoOrphans(server.database.adminUrl);
  await server.close();
});

const number = fastCheck.nat(999);
const seed = fastCheck.nat(0x7fff_ffff);
const intent: fastCheck.Arbitrary<Intent> = fastCheck.record({
  kind: fastCheck.constantFrom(...kinds),
  resource: number,
  target: fastCheck.nat(5),
  user: number,
  option: seed,
  fields: fastCheck.array(fastCheck.tuple(number, seed), { maxLength: 5, size: 'max' }),
});
const commands = fastCheck.array(intent, { minLength: 5, maxLength: 30, size: 'max' });

test('random sequences of commands have the specified results', async (context) => {
  const pairs: [Organization, Organization][] = [];
  // Resources with more dependencies are tried more often.
  const theme = fastCheck.constantFrom(
    // Webhook endpoints are tested by what they receive.
    ...resources
      .filter(({ portable }) => portable !== false)
      .flatMap((each) => Array<Resource>(isFile(each) ? 6 : closureOf(each).length).fill(each)),
  );
  await checkSequences(
    context,
    fastCheck.asyncProperty(theme, commands, async (first, intents) => {
      if (pairs.length === 0) pairs.push(...(await createPairs(server.database.worker, pairsAtOnce)));
      const pair = pairs.pop();
      assert.ok(pair);
      const sequence = new Sequence(server, pair, closureOf(first));
      try {
        for (const each of intents) await sequence.run(each);
        await sequence.compareAll();
        await compareEvents(sequence.states);
      } catch (error) {
        throw new Error(
          sequence.conversation.shorten(`${String(error)}\n${sequence.conversation.transcript()}`),
          {
            cause: error,
          },
        );
      }
    }),
    sequences,
  );
});

/** Expects the outbox to have exactly the model's events, those of each record in order. */
async function compareEvents(states: readonly State[]): Promise<void> {
  for (const { organization, events } of states) {
    const rows = await server.database.worker.run(
      `SELECT type, subject_id, subject_version, actor_user_id, actor_client_id, to_json(changed_fields)
       FROM trellis.outbox WHERE organization_id = $1 ORDER BY subject_id, id`,
      [organization.uuid],
    );
    const actual = rows.map(([type, subject, version, actor, client, changed]) => ({
      type,
      subject,
      version: Number(version),
      actor,
      client,
      changedFields: JSON.parse(changed ?? '[]').sort(),
    }));
    const expected = events
      .map((event) => ({
        type: event.type,
        subject: uuidOf(event.subject),
        version: event.version,
        actor: uuidOf(event.actor),
        client: organization.clientUuid,
        changedFields: [...event.changedFields].sort(),
      }))
      .sort((left, right) => (left.subject === right.subject ? 0 : left.subject < right.subject ? -1 : 1));
    expectEqual(actual, expected, 'events');
  }
}

function uuidOf(id: string): string {
  return decodeId(id.split('_')[0] ?? '', id) ?? '';
}
