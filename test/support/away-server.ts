/** A person with organizations on two servers of a Citus cluster, one of which can be frozen. */
import assert from 'node:assert/strict';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { createOrganization } from '@trellis/server/administration/organizations.ts';
import { givePassword, type TestAccount } from './browser-client.ts';
import { citusNodes, readMainPid, runOn } from './citus.ts';
import { joinOrganization } from './identities.ts';
import { startTestServer, type TestServer } from './server.ts';

export interface AwayScene {
  readonly server: TestServer;
  /** The owner of both organizations. */
  readonly account: TestAccount;
  /** Uuid of the organization on the server that is frozen. */
  readonly away: string;
  /** Uuid of the one on another server, which is that of the test's server. */
  readonly here: string;
  /** The server that is frozen. */
  readonly frozen: {
    /** Of its main process. */
    readonly pid: number;
    /** Host and port. */
    readonly address: string;
    /** URL of its superuser. */
    readonly url: string;
  };
}

export async function makeAwayScene(): Promise<AwayScene> {
  const server = await startTestServer({ distributed: true });
  const { adminUrl, auth, name } = server.database;
  const account = await givePassword(auth, server.ownerId);
  const here = server.organization.id;
  const own = await placeOf(adminUrl, here);
  const away = await makeOrganizationElsewhere(server, own);
  const address = await placeOf(adminUrl, away);
  const url = citusNodes(name).find((one) => new URL(one).host === address);
  assert.ok(url);
  return { server, account, away, here, frozen: { pid: await readMainPid(url), address, url } };
}

/** Host and port of the server that has an organization. */
async function placeOf(adminUrl: string, id: string): Promise<string> {
  const [row] = await runOn(
    adminUrl,
    `SELECT nodename || ':' || nodeport AS place FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
     WHERE shardid = get_shard_id_for_distribution_column('trellis.memberships', '${id}'::uuid)`,
  );
  return String(row?.place);
}

/** Makes organizations until one is on another server, with the owner of the first one. @returns its uuid */
async function makeOrganizationElsewhere({ database, ownerId }: TestServer, place: string): Promise<string> {
  for (let number = 0; number < 40; number += 1) {
    const created = await createOrganization(database.worker, { key: `other-${number}` });
    const id = decodeId('org', created.id) ?? '';
    if ((await placeOf(database.adminUrl, id)) === place) continue;
    await joinOrganization(database.worker, id, ownerId, 'OWNER');
    return id;
  }
  throw new Error('40 organizations are on one of two servers');
}
