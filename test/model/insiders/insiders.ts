/** What the tests of insiders share: all detours, callers, and the server. */
import { AddressGuard } from '@trellis/server/features/webhooks/address-guard.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { sealer } from '../../support/webhooks.ts';
import type { Caller, Detour } from './detour.ts';
import type { Credential, Place } from './organization.ts';
import {
  invitationDetours,
  memberDetours,
  roleDetours,
  sessionDetours,
  tokenDetours,
} from './people-detours.ts';
import { recordDetours, viewDetours, webhookDetours } from './record-detours.ts';
import { builtIn, ownCopy, type Right, rightsOf, type Standing } from './rights.ts';

/** Every detour by its name. */
export const detours: ReadonlyMap<string, Detour> = new Map(
  Object.entries({
    ...tokenDetours,
    ...memberDetours,
    ...roleDetours,
    ...invitationDetours,
    ...sessionDetours,
    ...viewDetours,
    ...webhookDetours,
    ...recordDetours,
  }),
);

/** A server whose webhooks may call this machine. */
export function startInsidersServer(): Promise<TestServer> {
  return startTestServer({
    webhooks: { guard: new AddressGuard({ allowPrivate: ['127.0.0.0/8'] }), sealer },
  });
}

/** Somebody of a role with a token and a session, and a program of the same role. */
export async function newCaller(place: Place, role: string): Promise<Caller> {
  const person = await place.joinWithToken(role);
  const session = await place.sessionOf(person);
  return { ...person, session, program: await place.programWithToken(role) };
}

function credentialsOf({ token, session, program }: Caller): readonly Credential[] {
  return [token, session.credential, program.token];
}

/** Those of somebody's credentials with which a detour can be tried. */
export function credentialsFor({ by }: Detour, caller: Caller): readonly Credential[] {
  return credentialsOf(caller).filter(({ kind }) => by?.includes(kind) ?? true);
}

/** Does all of it, several at the same time. */
export async function inParallel<T>(all: Iterable<T>, work: (each: T) => Promise<void>): Promise<void> {
  const rest = all[Symbol.iterator]();
  const worker = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: 4 }, worker));
}

/** What somebody of a role is as long as nothing has happened to them. */
export function standingOf(role: string, kind: Credential['kind']): Standing {
  return {
    isMember: true,
    isPresentable: true,
    rights: rightsOf(role),
    isBuiltIn: builtIn.includes(role),
    isProgram: kind === 'program',
    hasCrm: true,
  };
}

/** The rights that a detour over something of a role is about. */
export function rightsAbout({ isCopy }: Detour, role: string): readonly Right[] {
  return isCopy ? ownCopy(rightsOf(role)) : rightsOf(role);
}

/** The ids of the requests that have left events in an organization. */
export async function writtenIn({ server, organization }: Place): Promise<ReadonlySet<string>> {
  const rows = await server.database.worker.run(
    'SELECT DISTINCT request_id FROM trellis.outbox WHERE organization_id = $1',
    [organization.id],
  );
  return new Set(rows.map(([id]) => id ?? ''));
}
