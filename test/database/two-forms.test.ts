/**
 * Statements that have another form for a distributed database do the same in both, compared on plain PostgreSQL: in the transaction of each
 * request that sends one, it is carried out in the first form, undone, and carried out in the other.
 */
import '../support/statements/declared.ts';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid } from '@trellis/schema/values/ids.ts';
import type { Step, StepResult } from '@trellis/server/database/batch.ts';
import type { TestServer } from '../support/server.ts';
import { declared, loadDeclarations } from '../support/statements/declared.ts';

/** Names of the statements that were compared. */
const compared = new Set<string>();
const differences: string[] = [];

/** Notes whether both forms gave the same. Those of sessions read the clock, each for itself. */
function note(name: string, once: unknown, other: unknown): void {
  const [left, right] = [once, other].map((value) => {
    const text = JSON.stringify(value, null, 1);
    return name.startsWith('session') ? text.replace(/\d+-\d\d-\d\d[ T][\d:.]+|"\d+\.\d+"/g, 'a time') : text;
  });
  try {
    assert.deepEqual(right, left);
  } catch (error) {
    differences.push(`${name}: ${(error as Error).message}`);
  }
}

before(async () => {
  await loadDeclarations();
  const { startTestServer } = await import('../support/server.ts');
  const { buildRareStatements, sendRequests } = await import('../support/statements/requests.ts');
  const { Connections } = await import('@trellis/server/database/connections.ts');
  const { distributedSteps } = await import('@trellis/server/database/distribution/forms.ts');
  const { step } = await import('@trellis/server/database/batch.ts');
  const { uuidArray } = await import('@trellis/server/database/values.ts');
  const block = await import('@trellis/server/database/block.ts');
  const [begin, commit] = [step(block.begin), step(block.commit)];
  const plain = (text: string) => step({ name: '', text });
  const isReadable = (table: string) => plain(`SELECT has_table_privilege('trellis.${table}', 'SELECT')`);
  // Both forms take the time of their own statement.
  const contentsOf = (table: string) =>
    plain(`SELECT r::text FROM (
      SELECT to_jsonb(t) - '{last_used_at,revoked_at,available_at}'::text[] AS r FROM trellis.${table} t) x ORDER BY 1`);
  const isRead = ({ statement }: Step) => !/^\s*(WITH|INSERT|UPDATE|DELETE)/.test(statement.text);
  /** The form of a step for a distributed database, which is named the organizations of a person where a plain one is not. */
  const formsOf = (previous: readonly Step[], { statement, values }: Step) => {
    const [there] = statement.distributed ?? [];
    const named = values.map((value, index) =>
      value === null && there?.statement.text.includes(` = ANY ($${index + 1}::uuid[])`)
        ? organizations
        : value,
    );
    const all = distributedSteps([...previous, step(statement, named)]).steps;
    return all.slice(distributedSteps(previous).steps.length);
  };
  let organizations: string | null = null;
  const { send } = Connections.prototype;
  /** Connections between BEGIN and COMMIT. */
  const inBlock = new WeakSet<object>();
  Connections.prototype.send = async function (
    this: InstanceType<typeof Connections>,
    client,
    steps,
    options,
  ) {
    const run = (batch: readonly Step[]) => send.call(this, client, batch, options);
    const place = steps.findIndex(({ statement }) => statement.distributed !== undefined);
    const chosen = steps[place];
    if (steps.length === 0) return [];
    for (const { statement } of steps) {
      if (statement.text.startsWith('BEGIN')) inBlock.add(client);
      if (/^(COMMIT|ROLLBACK)/.test(statement.text)) inBlock.delete(client);
    }
    if (chosen === undefined) return run(steps);
    const before = steps.slice(0, place);
    if (isRead(chosen)) {
      // What reads comes between BEGIN and COMMIT only in writes, so its batch has to stay one.
      const both = steps.map((one, index) => ({
        one,
        forms:
          one.statement.distributed !== undefined && isRead(one) ? formsOf(steps.slice(0, index), one) : [],
      }));
      const all = await run(both.flatMap(({ one, forms }) => [one, ...forms]));
      const results: StepResult[] = [];
      for (const { one, forms } of both) {
        const [result, ...others] = all.splice(0, 1 + forms.length);
        assert.ok(result);
        results.push(result);
        if (forms.length === 0) continue;
        compared.add(one.statement.name);
        note(one.statement.name, result.rows, others.at(-1)?.rows);
      }
      return results;
    }
    const forms = formsOf(before, chosen);
    compared.add(chosen.statement.name);
    const isAlone = steps.length === 1 && !inBlock.has(client);
    const results = await run(isAlone ? [begin] : before);
    const found = chosen.statement.text.matchAll(/(?:INTO|UPDATE|FROM) trellis\.(\w+)/g);
    const tables = [...new Set([...found].map(([, name = '']) => name))];
    const observe = async (batch: readonly Step[]) => {
      const done = await run(batch);
      const readable = await run(tables.map(isReadable));
      const rows = await run(
        tables.filter((_, index) => readable[index]?.rows[0]?.[0] === 't').map(contentsOf),
      );
      return { rows: done.at(-1)?.rows ?? [], tables: rows.map((one) => one.rows) };
    };
    await run([plain('SAVEPOINT two_forms')]);
    const once = await observe([chosen]);
    await run([plain('ROLLBACK TO two_forms')]);
    const other = await observe(forms);
    note(chosen.statement.name, once.tables, other.tables);
    const rest = await (isAlone ? run([commit]) : this.send(client, steps.slice(place + 1), options));
    const own = { rows: once.rows, affected: once.rows.length };
    return isAlone ? [own] : [...results, own, ...rest];
  };
  const server = await startTestServer();
  organizations = uuidArray([server.organization.id]);
  after(async () => {
    Connections.prototype.send = send;
    await server.close();
  });
  buildRareStatements();
  await sendRequests(server);
  await changeText(server);
  await useSessions(server);
});

/** Changes the text of an article, which has a row for its words before. */
async function changeText(server: TestServer): Promise<void> {
  const send = async (method: string, path: string, body: object) => {
    const response = await server.call(method, path, { body });
    assert.ok(response.status < 300, response.text);
    return response.json;
  };
  const site = await send('POST', '/v1/sites', { name: 'Two forms', key: 'two-forms' });
  const articles = `/v1/sites/${site.id}/articles`;
  const { id } = await send('POST', articles, {
    articleData: {},
    versionData: { title: 'Bees', body: 'One' },
  });
  await send('PATCH', `${articles}/${id}`, { versionData: { body: 'Another text' } });
}

/** What pages and requests do with sessions besides signing in, with what people sign in with, and with accounts that nobody has proven yet. */
async function useSessions({ database, ownerId: userId, organization }: TestServer): Promise<void> {
  const { auth, worker } = database;
  const { givePassword } = await import('../support/browser-client.ts');
  const { changeCredentials } = await import('@trellis/server/identity/sign-in/credential-change.ts');
  const { claimAccount } = await import('@trellis/server/identity/sign-in/claim.ts');
  const { openSession } = await import('@trellis/server/identity/sign-in/open-session.ts');
  const { proofOf } = await import('@trellis/server/identity/sign-in/methods.ts');
  const { makeLink } = await import('@trellis/server/identity/sign-in/links.ts');
  const { enterOrganization } = await import('@trellis/server/identity/sign-in/enter-organization.ts');
  const sessions = await import('@trellis/server/identity/sign-in/sessions.ts');
  const link = await makeLink(auth, 'SIGN_IN', userId, 'http://localhost');
  const requestId = newUuid();
  const proofs = [proofOf('LINK')];
  const opened = await openSession(auth, {
    userId,
    device: 'Test',
    proofs,
    idleSeconds: 3_600,
    staySignedIn: false,
    proven: { link: link.secret },
    requestId,
  });
  await enterOrganization(auth, opened, organization.id, requestId);
  await sessions.noteUseOfSession(auth, opened.session);
  assert.ok((await sessions.listSessions(auth, userId)).length > 0);
  await changeCredentials(
    auth,
    { current: opened, requestId },
    {
      reads: {},
      decide: () => ({
        steps: [],
        event: { what: 'factor_added', changed: ['passkeys'] },
        result: () => undefined,
      }),
    },
  );
  const renewed = await sessions.renewSessionSecret(auth, opened, proofs, requestId);
  assert.ok(await sessions.endSession(auth, renewed.session, requestId));
  const unproven = newUuid();
  await worker.run(
    `INSERT INTO trellis.users (id, email, email_normalized, name, address_proven) VALUES ($1, 'new@example.com', 'new@example.com', 'New', false)`,
    [unproven],
  );
  await givePassword(auth, unproven);
  await claimAccount(auth, unproven, requestId);
}

test('both forms give the same rows, and leave the same', () => {
  assert.deepEqual(differences, []);
});

test('every statement that has two forms was compared', () => {
  const all = [...declared.values()].flatMap((statements) => [...statements.values()]);
  // Those that only return a row more or lock none are the same.
  const inTwoForms = all.filter(({ text, distributed = [] }) =>
    distributed.some(
      ({ statement }) => statement.text !== `${text} RETURNING NULL` && !text.startsWith(statement.text),
    ),
  );
  const unseen = inTwoForms.filter(({ name }) => !compared.has(name));
  assert.deepEqual(
    unseen.map(({ name }) => name),
    [],
  );
  assert.ok(inTwoForms.length > 15);
});
