/** Calls of the trash, for tests. */
import assert from 'node:assert/strict';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { createMember, createToken } from './identities.ts';
import type { Json, TestServer } from './server.ts';
import { write } from './writes.ts';

/** The path of the trash. */
export const trash = '/v1/trash';

export const idsOf = (items: readonly Json[]) => items.map(({ id }) => id);

/** The trash of a server; as the owner unless another token is given. */
export class TestTrash {
  private readonly server: TestServer;

  constructor(server: TestServer) {
    this.server = server;
  }

  /** A token of a new member. */
  readonly tokenOf = async (
    role: 'OWNER' | 'EDITOR' | 'AUTHOR' | 'VIEWER',
    scopes: readonly string[] = allScopes,
  ) => {
    const { worker } = this.server.database;
    const userId = await createMember(worker, this.server.organization, role);
    const { token } = await createToken(worker, this.server.organization, userId, { scopes });
    return { token, userId };
  };

  readonly read = (path: string, token?: string) =>
    this.server.call('GET', path, token === undefined ? {} : { token });

  /** The whole trash as a caller sees it, page by page. */
  readonly list = async (query = '', token?: string): Promise<Json[]> => {
    const items: Json[] = [];
    let cursor: string | null = null;
    do {
      const more: string = cursor === null ? '' : `&cursor=${cursor}`;
      const page = await this.read(`${trash}?limit=2${query}${more}`, token);
      assert.equal(page.status, 200, page.text);
      items.push(...page.json.items);
      cursor = page.json.pageInfo.nextCursor;
    } while (cursor !== null);
    return items;
  };

  readonly restore = (id: string, options: { token?: string; key?: string } = {}) =>
    write(this.server, 'POST', `${trash}/${id}/restore`, options);

  readonly restored = async (id: string, token?: string): Promise<Json> => {
    const response = await this.restore(id, token === undefined ? {} : { token });
    assert.equal(response.status, 200, response.text);
    return response.json;
  };
}
