/** What a member sees in open tabs when an administrator has suspended the access. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember } from '../support/identities.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

for (const [locale, list, ended, none] of [
  [
    'en-GB',
    'Companies',
    'Your access to this organization was suspended or ended.',
    'your access was suspended',
  ],
  [
    'de-DE',
    'Firmen',
    'Ihr Zugang zu dieser Organisation wurde gesperrt oder beendet.',
    'Ihr Zugang wurde gesperrt',
  ],
] as const) {
  test(`a suspended member reads in an open tab what has happened (${locale})`, async () => {
    const { server } = console;
    const member = await createMember(server.database.worker, server.organization, 'EDITOR');
    const { id } = await create(server, '/v1/books', { title: 'The Trial' });
    const { page, open, checkAccessibility } = await console.openAs(member, { locale });
    await open(`/books/${id}`);
    await page.getByRole('heading', { level: 1, name: 'The Trial' }).waitFor();
    const path = `/v1/members/${encodeId('user', member)}`;
    const suspended = await server.call('PATCH', path, { body: { status: 'DISABLED' } });
    assert.equal(suspended.status, 200, JSON.stringify(suspended.json));
    await page.getByRole('link', { name: list }).click();
    await page.getByText(ended).first().waitFor();
    await checkAccessibility('access ended');
    await open('/books');
    await page.getByText(none).waitFor();
    await checkAccessibility('no organization');
  });
}
