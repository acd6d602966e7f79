/** Assertions about refusals: the documented problem, and no change in the database. */
import assert from 'node:assert/strict';
import type { TestResponse } from './server.ts';
import type { TenantTables } from './tenant-tables.ts';

/** Runs attempts and expects that none of them changes a row or causes an event. */
export async function changesNothing(tables: TenantTables, attempts: () => Promise<void>): Promise<void> {
  await tables.takeChanges();
  await attempts();
  assert.deepEqual(await tables.takeChanges(), {}, 'a refused request changed something');
}

/** Expects a problem with all its members. */
export function expectProblem(response: TestResponse, status: number, code: string, label = ''): void {
  const shown = `${label} responded with ${response.status}: ${response.text}`;
  assert.equal(response.json?.code, code, shown);
  assert.equal(response.status, status, shown);
  assert.equal(response.json.status, status, shown);
  assert.equal(response.headers.get('content-type'), 'application/problem+json; charset=utf-8', shown);
  assert.match(response.json.type, new RegExp(`^http.*/docs/errors/${code}$`), shown);
  assert.equal(response.json.requestId, response.headers.get('x-request-id'), shown);
  assert.ok(response.json.title !== '' && response.json.detail !== '', shown);
  assert.ok(Array.isArray(response.json.errors), shown);
}

/** Expects a challenge (RFC 6750) that matches and refers to the protected resource's metadata (RFC 9728). */
export function expectChallenge(response: TestResponse, pattern: RegExp): void {
  const challenge = response.headers.get('www-authenticate') ?? '';
  assert.match(challenge, pattern);
  assert.match(challenge, /^Bearer realm="[^"]+", resource_metadata="http[^"]+"/);
}

/**
 * Whether the overload guard refused the request because of the load of tests. Only one test is about that; in the others,
 * such a request is sent again.
 */
export function wasTurnedAway({ status, json }: Pick<TestResponse, 'status' | 'json'>): boolean {
  return status === 503 && json?.detail === 'The server is overloaded.';
}

export function isSuccess({ status }: TestResponse): boolean {
  return status >= 200 && status < 300;
}
