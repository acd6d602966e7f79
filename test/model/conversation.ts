/** Records the calls of a sequence, as a readable transcript with short ids for when server and model differ. */
import { AssertionError } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { TestResponse, TestServer } from '../support/server.ts';
import type { Refusal } from './decision.ts';
import type { Organization, User } from './organizations.ts';
import type { StoredResponse } from './state.ts';

/** The calls of one sequence. */
export class Conversation {
  private readonly server: TestServer;
  private readonly organizations: readonly Organization[];
  private readonly lines: string[] = [];
  private readonly aliases = new Map<string, string>();

  constructor(server: TestServer, organizations: readonly Organization[]) {
    this.server = server;
    this.organizations = organizations;
  }

  /** The requests and responses so far, a line for each call, with short names for ids. */
  transcript(): string {
    return this.lines
      .map((line, index) => `${String(index + 1).padStart(3)} ${this.shorten(line)}`)
      .join('\n');
  }

  /** Replaces ids with short names, such as `book 1`. */
  shorten(text: string): string {
    return text.replaceAll(/\b([a-z]+)_[0-9a-z]{26}\b/g, (id, prefix: string) => {
      const known = this.aliases.get(id);
      if (known !== undefined) return known;
      const count = [...this.aliases.keys()].filter((other) => other.startsWith(`${prefix}_`)).length;
      const alias = `${prefix}_${count + 1}`;
      this.aliases.set(id, alias);
      return alias;
    });
  }

  /** Records something that happens outside of calls. */
  note(text: string): void {
    this.lines.push(text);
  }

  /** Sends a call and records it. */
  async send(
    user: User,
    method: string,
    path: string,
    more: { body?: unknown; ifMatch?: string | null; minimal?: boolean; key?: string } = {},
  ): Promise<TestResponse> {
    const { body, ifMatch = null, minimal = false, key } = more;
    const headers = {
      ...(ifMatch === null ? {} : { 'if-match': ifMatch }),
      ...(minimal ? { prefer: 'return=minimal' } : {}),
    };
    const where = this.organizations.find(({ users }) => users.includes(user))?.name;
    const shown = [...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join(', ');
    const about = `${key === undefined ? '' : ` key ${key.slice(0, 4)}`}${shown === '' ? '' : ` (${shown})`}`;
    const text = body === undefined ? '' : ` ${JSON.stringify(body)}`;
    const line =
      this.lines.push(`${where} ${user.name}:${about} ${method} ${decodeURIComponent(path)}${text}`) - 1;
    const response = await this.server.call(method, path, {
      token: user.token,
      headers,
      ...(key === undefined ? {} : { key }),
      ...(body === undefined ? {} : { body }),
    });
    const returned = response.json?.code ?? response.json?.id ?? '';
    this.lines[line] += ` → ${response.status} ${returned} ${response.headers.get('etag') ?? ''}`;
    return response;
  }

  /** Expects an error response to be one of the valid refusals. */
  expectRefusal(response: TestResponse, refusals: readonly Refusal[]): void {
    const returned = { status: response.status, code: response.json?.code };
    const possible = refusals.filter(
      ({ status, code }) => status === returned.status && code === returned.code,
    );
    if (possible.length === 0)
      expectEqual(
        returned,
        refusals.map(({ status, code }) => ({ status, code }))[0],
        `refusal, with ${response.text}`,
      );
    const explained = possible.map(({ members = {}, pointers }) => ({
      members,
      pointers: pointers === undefined ? undefined : [...pointers].sort(),
    }));
    const seen = explained.map(({ members, pointers }) => ({
      members: Object.fromEntries(
        Object.keys(members).map((name) => [name, sortUnordered(response.json[name])]),
      ),
      pointers:
        pointers === undefined
          ? undefined
          : response.json.errors.map(({ pointer }: { pointer: string }) => pointer).sort(),
    }));
    const right = explained.some((one, index) =>
      isDeepStrictEqual({ ...seen[index] }, { ...one, members: sortAllUnordered(one.members) }),
    );
    if (!right) expectEqual(seen[0], explained[0], 'members of the problem');
  }

  /** Expects the response to a repeated call to be the first one, byte for byte. */
  expectReplay(response: TestResponse, { status, text, etag, location }: StoredResponse): void {
    expectEqual(
      {
        status: response.status,
        text: response.text,
        etag: response.headers.get('etag'),
        location: response.headers.get('location'),
        replayed: response.headers.get('idempotent-replayed'),
      },
      { status, text, etag, location, replayed: 'true' },
      'replay',
    );
  }
}

/** Expects two values to be equal. @throws Divergence */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  // Creating an error that is not thrown would cost far more than the comparison.
  if (!isDeepStrictEqual(actual, expected)) throw new Divergence(what, actual, expected);
}

/** Server and model differ. */
class Divergence extends AssertionError {
  constructor(what: string, actual: unknown, expected: unknown) {
    super({ message: undefined, actual, expected, operator: 'deepStrictEqual' });
    this.message = `server and model differ in the ${what}\n${this.message}`;
  }
}

/** Sorts lists whose order has no meaning. */
function sortUnordered(value: unknown): unknown {
  return Array.isArray(value)
    ? [...value].sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1))
    : value;
}

function sortAllUnordered(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, sortUnordered(value)]));
}
