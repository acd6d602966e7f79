/**
 * The last owner: a person who owns the organization and is active here and everywhere. Nobody takes them away, whatever they present and
 * whoever else seems to be an owner, and of two who leave at the same time one stays.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { setUserStatus } from '@trellis/server/features/sign-in/user-status.ts';
import { amount, casesFor } from '../../support/soak.ts';
import { inParallel, startInsidersServer } from './insiders.ts';
import { type Credential, type Person, Place } from './organization.ts';

const server = await startInsidersServer();
after(() => server.close());

type Way = (by: Credential, path: string, place: Place) => ReturnType<Credential['send']>;
/** Ways in which an owner ceases to be one. */
const ways: readonly (readonly [string, Way])[] = [
  [
    'another role',
    (by, path, place) => by.send('PATCH', path, { roleId: place.roleId('ADMIN') }, randomUUID()),
  ],
  ['disabled', (by, path) => by.send('PATCH', path, { status: 'DISABLED' }, randomUUID())],
  ['removed', (by, path) => by.send('DELETE', path, undefined, randomUUID())],
];

/** Who else seems to be an owner, and whether they are one. */
const others: readonly (readonly [string, boolean, (place: Place) => Promise<unknown>])[] = [
  ['nobody', false, async () => undefined],
  ['an owner', true, (place) => place.join('OWNER')],
  ['an administrator', false, (place) => place.join('ADMIN')],
  ['a program', false, (place) => place.program('OWNER')],
  [
    'an owner who is disabled',
    false,
    async (place) =>
      place.ask('PATCH', `/v1/members/${(await place.join('OWNER')).id}`, { status: 'DISABLED' }),
  ],
  [
    'an owner who is disabled everywhere',
    false,
    async (place) =>
      setUserStatus(server.database.auth, (await place.join('OWNER')).uuid, 'DISABLED', randomUUID()),
  ],
];

/** What takes the owner away: their own token or session, or a program with an owner's role. */
const presented: readonly ((place: Place) => Promise<Credential>)[] = [
  async (place) => place.owner,
  async (place) => (await place.sessionOf({ uuid: place.ownerUuid })).credential,
  async (place) => (await place.programWithToken('OWNER')).token,
];

const pathOf = (uuid: string) => `/v1/members/${encodeId('user', uuid)}`;

/** The active people who own an organization. */
async function ownersOf({ organization }: Place): Promise<number> {
  const [row] = await server.database.worker.run(
    `SELECT count(*) FROM trellis.memberships m JOIN trellis.users u ON u.id = m.user_id
     WHERE m.organization_id = $1 AND m.role = 'OWNER' AND m.status = 'ACTIVE' AND u.status = 'ACTIVE' AND m.responsible_user_id IS NULL`,
    [organization.id],
  );
  return Number(row?.[0]);
}

test('the last owner stays', async () => {
  const cases = ways.flatMap((way, index) =>
    casesFor(
      index,
      others.flatMap((other) => presented.map((credential) => ({ way, other, credential }))),
    ),
  );
  await inParallel(cases, async ({ way: [name, leave], other: [company, isOwner, join], credential }) => {
    const place = await Place.create(server, []);
    await join(place);
    const by = await credential(place);
    const { status, json, text } = await leave(by, pathOf(place.ownerUuid), place);
    const shown = `${name} by ${by.kind} beside ${company}: ${status} ${text}`;
    if (isOwner) assert.ok(status < 300, shown);
    else assert.equal(json?.code, 'last_owner', shown);
    assert.equal(await ownersOf(place), 1, shown);
  });
});

test('of two owners who leave, or take each other away, at the same time, one stays', async () => {
  const cases = Array.from({ length: amount(1, 10) }, () =>
    ways.flatMap((first) =>
      ways.flatMap((second) => [true, false].map((isOwn) => ({ first, second, isOwn }))),
    ),
  ).flat();
  await inParallel(cases, async ({ first: [one, leave], second: [another, leaveToo], isOwn }) => {
    const place = await Place.create(server, []);
    const second: Person = await place.join('OWNER');
    const { token } = await place.tokenOf(second);
    const [mine, theirs] = isOwn ? [place.ownerUuid, second.uuid] : [second.uuid, place.ownerUuid];
    const sent = [leave(place.owner, pathOf(mine), place), leaveToo(token, pathOf(theirs), place)];
    const worked = (await Promise.all(sent)).filter(({ status }) => status < 300);
    const shown = `${one} and ${another}, ${isOwn ? 'themselves' : 'each other'}`;
    assert.equal(worked.length, 1, shown);
    assert.equal(await ownersOf(place), 1, shown);
  });
});
