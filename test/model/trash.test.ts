/** Random deletions, restorations and purges against a model of two sets: what is there, and what is in the trash. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fastCheck from 'fast-check';
import { checkSequences } from '../lib/property.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { type CallOptions, type Json, startTestServer, type TestServer } from '../support/server.ts';
import { amount } from '../support/soak.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/** Few unique values, so that they are often taken. */
const isbns = ['9780141439587', '9780140449136', '9780691096124'];

interface Book {
  readonly id: string;
  readonly isbn13: string | null;
  readonly version: number;
}

const kinds = ['create', 'change', 'delete', 'erase', 'restore', 'purge'] as const;
const command = fastCheck.record({
  kind: fastCheck.constantFrom(...kinds),
  target: fastCheck.nat(99),
  isbn13: fastCheck.constantFrom(null, ...isbns),
});

type Command = typeof command extends fastCheck.Arbitrary<infer C> ? C : never;

let organizations = 0;

/** What is there and what is in the trash of an organization, by id. */
class Model {
  private readonly token: string;

  constructor(token: string) {
    this.token = token;
  }

  call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, options: CallOptions = {}) {
    return server.call(method, path, { ...options, token: this.token });
  }

  readonly present = new Map<string, Book>();
  readonly trash = new Map<string, Book>();
  readonly gone = new Set<string>();

  isTaken(isbn13: string | null, but: string): boolean {
    return (
      isbn13 !== null && [...this.present.values()].some((book) => book.isbn13 === isbn13 && book.id !== but)
    );
  }

  /** Any book that there ever was. */
  choose(number: number): string | undefined {
    const ids = [...this.present.keys(), ...this.trash.keys(), ...this.gone];
    return ids[number % Math.max(ids.length, 1)];
  }
}

/** A model of an organization of its own, as sequences run at the same time. */
async function createModel(): Promise<Model> {
  const { worker } = server.database;
  organizations += 1;
  const organization = await createOrganization(worker, `trash-${organizations}`);
  const owner = await createMember(worker, organization, 'OWNER');
  return new Model((await createToken(worker, organization, owner)).token);
}

async function run(model: Model, { kind, target, isbn13 }: Command): Promise<void> {
  if (kind === 'create') {
    const made = await model.call('POST', '/v1/books', { body: { title: 'Modelled', isbn13 } });
    if (model.isTaken(isbn13, '')) assert.equal(made.json.code, 'conflict', made.text);
    else {
      assert.equal(made.status, 201, made.text);
      model.present.set(made.json.id, { id: made.json.id, isbn13, version: 1 });
    }
    return;
  }
  const id = model.choose(target);
  if (id === undefined) return;
  const book = model.present.get(id);
  const kept = model.trash.get(id);
  const expectStatus = (response: { status: number; text: string }, expected: number) =>
    assert.equal(response.status, expected, `${kind} ${id}: ${response.text}`);
  if (kind === 'change') {
    const changed = await model.call('PATCH', `/v1/books/${id}`, { body: { isbn13 } });
    if (book === undefined) expectStatus(changed, 404);
    else if (model.isTaken(isbn13, id)) expectStatus(changed, 409);
    else {
      expectStatus(changed, 200);
      const version = book.isbn13 === isbn13 ? book.version : book.version + 1;
      model.present.set(id, { ...book, isbn13, version });
    }
  } else if (kind === 'delete' || kind === 'erase') {
    const query = kind === 'erase' ? '?erase=true' : '';
    const deleted = await model.call('DELETE', `/v1/books/${id}${query}`);
    expectStatus(deleted, book === undefined ? 404 : 204);
    if (book === undefined) return;
    model.present.delete(id);
    if (kind === 'erase') model.gone.add(id);
    else model.trash.set(id, book);
  } else if (kind === 'restore') {
    const restored = await model.call('POST', `/v1/trash/${id}/restore`);
    if (kept === undefined) expectStatus(restored, 404);
    else if (model.isTaken(kept.isbn13, id)) expectStatus(restored, 409);
    else {
      expectStatus(restored, 200);
      model.trash.delete(id);
      model.present.set(id, { ...kept, version: kept.version + 2 });
    }
  } else {
    expectStatus(await model.call('DELETE', `/v1/trash/${id}`), kept === undefined ? 404 : 204);
    if (kept === undefined) return;
    model.trash.delete(id);
    model.gone.add(id);
  }
}

/** Everything in a list, page by page. */
async function readAll(model: Model, path: string): Promise<Json[]> {
  const items: Json[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await model.call('GET', `${path}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    assert.equal(page.status, 200, page.text);
    items.push(...page.json.items);
    cursor = page.json.pageInfo.nextCursor;
  }
  return items;
}

test('random deletions and restorations have the specified results', async (context) => {
  const commands = fastCheck.array(command, { minLength: 10, maxLength: 40, size: 'max' });
  const property = fastCheck.asyncProperty(commands, async (given) => {
    const model = await createModel();
    for (const each of given) await run(model, each);
    const books = await readAll(model, '/v1/books?limit=10');
    const found = books.map(({ id, isbn13, version }) => ({ id, isbn13, version }));
    const byId = (left: { id: string }, right: { id: string }) => (left.id < right.id ? -1 : 1);
    assert.deepEqual(found.sort(byId), [...model.present.values()].sort(byId));
    const trash = await readAll(model, '/v1/trash?limit=3');
    assert.deepEqual(trash.map(({ id }) => id).sort(), [...model.trash.keys()].sort());
  });
  await checkSequences(context, property, amount(20, 300));
});
