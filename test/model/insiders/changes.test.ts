/**
 * Insiders whose rights change while their requests are under way. A response is one that the model permits either before or after the
 * change; what is sent after the change had its response follows what is so since, and nothing that was permitted before only is
 * committed later.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseSeed, seededNumbers } from '../../support/seed.ts';
import { casesFor } from '../../support/soak.ts';
import { type Change, changes } from './changes.ts';
import { type Attempt, attempt, type Caller, type Detour, type Target } from './detour.ts';
import {
  credentialsFor,
  detours,
  inParallel,
  newCaller,
  rightsAbout,
  standingOf,
  startInsidersServer,
  writtenIn,
} from './insiders.ts';
import { type Credential, Place } from './organization.ts';
import { rightsOfRole } from './rights.ts';

const server = await startInsidersServer();
after(() => server.close());

const other = 'nothing';

/** A detour that the model permits before or after the change, with what is presented. */
interface Try {
  readonly label: string;
  readonly detour: Detour;
  readonly by: Credential;
  readonly before: boolean;
  readonly after: boolean;
}

/** A try with a target of its own. */
interface Ready extends Try {
  readonly target: Target;
}

function triesOf(label: string, change: Change, caller: Caller): Try[] {
  return [...detours].flatMap(([name, detour]) =>
    credentialsFor(detour, caller).flatMap((by): Try[] => {
      const others = rightsAbout(detour, other);
      const othersAfter = detour.isCopy ? others : (change.othersAfter ?? others);
      const usual = standingOf(caller.role, by.kind);
      const before = detour.may({ ...usual, ...change.before?.(by.kind) }, others);
      const after = detour.may({ ...usual, ...change.after(by.kind) }, othersAfter);
      if (detour.changesCaller || !(before || after)) return [];
      return [{ label: `${label}: ${name}`, detour, by, before, after }];
    }),
  );
}

/** Of many tries one for each detour, by turns with all that can be presented; of few all, as often as makes at least six. */
function chooseTries(tries: readonly Try[]): Try[] {
  const byDetour = [...Map.groupBy(tries, ({ detour }) => detour).values()];
  if (tries.length > 40) return byDetour.flatMap((same, index) => same[index % same.length] ?? []);
  const times = Math.max(1, Math.ceil(6 / Math.max(1, tries.length)));
  return Array.from({ length: times }, () => tries).flat();
}

async function prepareAll(place: Place, caller: Caller, tries: readonly Try[]): Promise<Ready[]> {
  const ready: Ready[] = [];
  const prepare = async (each: Try) => {
    ready.push({ ...each, target: await each.detour.prepare(place, other, caller) });
  };
  const isMadeAsOwner = ({ detour }: Try) => detour.of === 'former owner';
  await inParallel(
    tries.filter((each) => !isMadeAsOwner(each)),
    prepare,
  );
  await place.setRole(caller, 'OWNER');
  await inParallel(tries.filter(isMadeAsOwner), prepare);
  await place.setRole(caller, caller.role);
  return ready;
}

/** What did not go as the model says. */
const wrong: string[] = [];

/** What became of a request that was under way. */
interface Flown extends Ready {
  readonly result: Attempt;
  /** Whether it was sent after the change had its response. */
  readonly isLate: boolean;
}

/** Whether the request worked, may not be made any more, and has an Idempotency-Key. */
function isRepeatable({ detour, by, after, result }: Flown): boolean {
  return result.worked && !after && by.kind !== 'session' && (detour.of ?? 'somebody') === 'somebody';
}

/** Does the change amid requests. */
async function race(role: string, name: string, change: Change, next: () => number): Promise<number> {
  const place = await Place.create(server, [role, other]);
  const caller = await newCaller(place, role);
  const label = `${role}, ${name}`;
  const tries = triesOf(label, change, caller);
  const flying = await prepareAll(place, caller, chooseTries(tries));
  const later = await prepareAll(place, caller, chooseTries(tries));
  await change.prepare?.(place, caller);

  let hasResponse = false;
  const fly = async (each: Ready): Promise<Flown> => {
    const isLate = hasResponse;
    return { ...each, isLate, result: await attempt(each.label, each.detour, each.target, each.by) };
  };
  flying.sort(() => next() - 0.5);
  const flown = flying.splice(0, Math.ceil(flying.length / 2)).map(fly);
  await sleep(next() * 8);
  const changing = change.make(place, caller).then(() => {
    hasResponse = true;
    return writtenIn(place);
  });
  for (const each of flying) {
    flown.push(fly(each));
    await sleep(next() * 2);
  }
  const writtenBefore = await changing;
  const all = await Promise.all([...flown, ...later.map(fly)]);
  const writtenNow = await writtenIn(place);
  for (const { result, before, after: isPermittedNow, isLate } of all) {
    const { worked, requestId } = result;
    const mayWork = isPermittedNow || (before && !isLate);
    const mustWork = isPermittedNow && (before || isLate);
    if (worked ? !mayWork : mustWork)
      wrong.push(
        `${worked ? 'must be refused' : 'must work'} ${isLate ? 'after it' : 'amid it'}: ${result.label}`,
      );
    const isWritten = writtenNow.has(requestId);
    if (!worked && isWritten) wrong.push(`was refused, and yet there are events: ${result.label}`);
    if (worked && isWritten && !isPermittedNow && !writtenBefore.has(requestId))
      wrong.push(`was committed after it: ${result.label}`);
  }
  // A response is not given again to who may not ask for it any more, but what others may does not count for that.
  if (change.othersAfter === undefined)
    await inParallel(all.filter(isRepeatable), async ({ label, detour, target, by, result }) => {
      const again = await attempt(`${label}, repeated`, detour, target, by, result.requestId);
      if (again.worked) wrong.push(`must be refused after it: ${again.label}`);
    });
  for (const { target, by, result } of all)
    if (result.worked) await target.verify?.(by.kind === 'program' ? caller.program.uuid : caller.uuid);
  return all.length;
}

test('what is under way while rights change follows what was or what is, and what comes later what is', async (context) => {
  const seed = chooseSeed(context);
  const roles = [...rightsOfRole.keys()];
  const cases = roles.flatMap((role, index) => {
    const possible = [...changes].filter(([, { appliesTo }]) => appliesTo?.(role) ?? true);
    return casesFor(index, possible).map(([name, change], place) => ({ role, name, change, index, place }));
  });
  let count = 0;
  await inParallel(cases, async ({ role, name, change, index, place }) => {
    const sent = await race(role, name, change, seededNumbers(seed + 100 * index + place));
    count += sent;
  });
  context.diagnostic(`${count} requests amid and after ${cases.length} changes`);
  assert.deepEqual(wrong, []);
});
