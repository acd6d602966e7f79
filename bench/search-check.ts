/**
 * Compares the loaded data with what the product writes: some loaded records are created again through the API, in
 * another organization, and all search data of both must be equal.
 */

import { decodeId } from '@trellis/schema/values/ids.ts';
import type { Client } from 'pg';
import { bodyOf, organizations, type ResourceName, recordId, resources } from './search-data.ts';

const numbers = [4, 12, 400] as const;
const collections = {
  contacts: '/v1/crm/contacts',
  books: '/v1/books',
  'knowledge-files': '/v1/knowledge-files',
};
const prefixes = { contacts: 'con', books: 'book', 'knowledge-files': 'kf' };
const types = { contacts: 'contact', books: 'book', 'knowledge-files': 'knowledge-file' };

/** Everything but whose it is, and since when. Long texts are indexed later, by the code that loaded them. */
const entry = `SELECT parent_id, readers, ARRAY(SELECT substr(word, 7) FROM unnest(tsvector_to_array(terms)) AS word ORDER BY 1) AS words,
    working, published, names, others,
    ARRAY(SELECT e164 FROM trellis.contact_phones p WHERE p.organization_id = e.organization_id
      AND p.contact_id = e.record_id AND e.type = 'contact') AS phones,
    ARRAY(SELECT email FROM trellis.contact_emails m WHERE m.organization_id = e.organization_id
      AND m.contact_id = e.record_id AND e.type = 'contact') AS emails
  FROM trellis.search_records e
  WHERE organization_id = (SELECT id FROM trellis.organizations WHERE key = $1) AND type = $2 AND record_id = $3`;

/** @param headers with the token of the owner of the organization for this. @throws Error naming the first difference */
export async function checkLoaded(
  admin: Client,
  server: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
): Promise<void> {
  for (const resource of resources)
    for (const number of numbers) await checkRecord(admin, server, resource, number);
}

async function checkRecord(
  admin: Client,
  server: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  resource: ResourceName,
  number: number,
): Promise<void> {
  const response = await fetch(`${server.url}${collections[resource]}`, {
    method: 'POST',
    headers: {
      ...server.headers,
      'content-type': 'application/json',
      'idempotency-key': `check-${resource}-${number}`,
    },
    body: JSON.stringify(bodyOf(resource, number)),
  });
  const text = await response.text();
  if (response.status !== 201)
    throw new Error(`creating ${resource} ${number} responded with ${response.status}: ${text}`);
  const { id } = JSON.parse(text) as { id: string };
  const written = decodeId(prefixes[resource], id);
  const made = await admin.query(entry, [organizations.checked, types[resource], written]);
  const loaded = await admin.query(entry, [organizations.measured, types[resource], recordId(number)]);
  const [left, right] = [JSON.stringify(made.rows), JSON.stringify(loaded.rows)];
  if (made.rows.length !== 1 || left !== right)
    throw new Error(`${resource} ${number} was loaded as ${right}, and the product writes ${left}`);
}
