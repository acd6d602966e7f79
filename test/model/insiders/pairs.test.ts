/**
 * Insiders at rest: whoever has whatever role tries every detour over what belongs to somebody of whatever role, with a token, in a session
 * and as a program. What the model permits works; what it does not is refused and writes nothing.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { casesFor, isSoak } from '../../support/soak.ts';
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

const roles = [...rightsOfRole.keys()];
/** Roles over whose belongings everybody tries; over those of the others, people of the same role and those with most rights. */
const usualOthers = ['OWNER', 'ADMIN', 'EDITOR', 'VIEWER', 'managing', 'nothing'];

/** Somebody with what they present. */
interface Try {
  readonly caller: Caller;
  readonly by: Credential;
  readonly label: string;
}

/** One detour over one role. */
interface Case {
  readonly name: string;
  readonly detour: Detour;
  readonly other: string;
}

/** Who tries a case: over one's own role and over nothing with all that one can present, otherwise with one after the other. */
function triesOf({ name, detour, other }: Case, callers: readonly Caller[]): Try[] {
  return callers
    .filter(({ role }) => usualOthers.includes(other) || [other, 'OWNER', 'managing'].includes(role))
    .flatMap((caller, index) => {
      const all = credentialsFor(detour, caller);
      const turn = (index + roles.indexOf(other)) % all.length;
      const isWhole = other === caller.role || other === 'nothing';
      const chosen = isWhole ? all : all.slice(turn, turn + 1);
      return chosen.map((by) => ({ caller, by, label: `${caller.role}, ${name} of ${other}` }));
    });
}

/** What did not go as the model says. */
const wrong: string[] = [];

/** Tries one detour over one role by everybody. @returns what became of each */
async function tryAll(place: Place, { detour, other }: Case, tries: readonly Try[]): Promise<Attempt[]> {
  const others = rightsAbout(detour, other);
  const isPermitted = ({ caller, by }: Try) => detour.may(standingOf(caller.role, by.kind), others);
  const done: Attempt[] = [];
  const one = async (each: Try, target: Target) => {
    const { label, by, caller } = each;
    const result = await attempt(label, detour, target, by);
    if (result.worked !== isPermitted(each))
      wrong.push(`${result.worked ? 'must be refused' : 'must work'}: ${result.label}`);
    else if (result.worked) await target.verify?.(by.kind === 'program' ? caller.program.uuid : caller.uuid);
    done.push(result);
  };
  const isShared = (detour.of ?? 'somebody') === 'somebody';
  const refused = tries.filter((each) => !isPermitted(each));
  const [first] = refused;
  // What is refused changes nothing, so all may try it on the same, and at the same time.
  if (isShared && first !== undefined) {
    const target = await detour.prepare(place, other, first.caller);
    for (let from = 0; from < refused.length; from += 16)
      await Promise.all(refused.slice(from, from + 16).map((each) => one(each, target)));
    await target.dispose?.();
  }
  for (const each of isShared ? tries.filter(isPermitted) : tries) {
    const { caller } = each;
    if (detour.of === 'former owner') await place.setRole(caller, 'OWNER');
    const target = await detour.prepare(place, other, caller);
    if (detour.of === 'former owner') await place.setRole(caller, caller.role);
    await one(each, target);
    await target.dispose?.();
    if (detour.changesCaller) await place.setRole(caller, caller.role);
  }
  return done;
}

test('whoever has whatever role does over others what the model permits, and nothing else', async (context) => {
  const place = await Place.create(server, roles);
  const callers: Caller[] = [];
  await inParallel(roles, async (role) => {
    callers.push(await newCaller(place, role));
  });
  const all: Attempt[] = [];
  const working = new Set<string>();
  const tryCase = async (one: Case) => {
    const done = await tryAll(place, one, triesOf(one, callers));
    all.push(...done);
    if (done.some((each) => each.worked)) working.add(one.name);
  };
  const every = [...detours].flatMap(([name, detour]) =>
    (detour.isAboutNoRole ? ['nothing'] : roles).map((other) => ({ name, detour, other })),
  );
  const cases = casesFor(0, every);
  // Who has another role for a while tries nothing else meanwhile.
  const changesRoles = ({ detour }: Case) => detour.changesCaller || detour.of === 'former owner';
  await inParallel(
    cases.filter((one) => !changesRoles(one)),
    tryCase,
  );
  for (const one of cases.filter(changesRoles)) await tryCase(one);
  context.diagnostic(`${all.length} attempts`);
  const written = await writtenIn(place);
  for (const { label, requestId, worked } of all)
    if (!worked && written.has(requestId)) wrong.push(`was refused, and yet there are events: ${label}`);
  assert.deepEqual(wrong, []);
  if (!isSoak) return;
  const possible = [...detours].filter(([, { may }]) => may(standingOf('OWNER', 'session'), []));
  for (const [name] of possible) assert.ok(working.has(name), `${name} has never worked`);
});
