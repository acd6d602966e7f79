/** Serves the copy of the product that it is in, uses the new field and the new resource, and prints what it got. */
import { germanFields, germanResources } from '../../../packages/console/src/text/names.de.ts';
import { startTestServer } from '../../support/server.ts';
import { create, succeed } from '../../support/writes.ts';

const server = await startTestServer();
try {
  const book = await create(server, '/v1/books', { title: 'Die Verwandlung', translatorNote: 'Revised' });
  await succeed(server, 'PATCH', `/v1/books/${book.id}`, { translatorNote: 'Revised twice' });
  const found = await server.call('GET', '/v1/books/search?query=twice');
  const site = await create(server, '/v1/sites', { name: 'Museum', key: 'museum' });
  const exhibition = await create(server, `/v1/sites/${site.id}/exhibitions`, { title: 'Light and Water' });
  const approved = await server.call('POST', `/v1/sites/${site.id}/exhibitions/${exhibition.id}/approve`, {
    body: { note: 'Within the budget.' },
  });
  const { json: document } = await server.call('GET', '/v1/openapi');
  const result = {
    read: (await server.call('GET', `/v1/books/${book.id}`)).json.translatorNote,
    found: found.json.items.map(({ id }: { id: string }) => id === book.id),
    documented: Object.keys(document.components.schemas.BookCreate.properties).includes('translatorNote'),
    germanField: germanFields.translatorNote,
    status: exhibition.status,
    approved: approved.json.approvalNote,
    germanResource: germanResources.exhibitions?.plural,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  await server.close();
}
