/** The rules by which `tenant-statements.test.ts` examines statements, on statements that break them and on some that do not. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { loadModule, parseSync } from 'libpg-query';
import type { Catalogue } from '../support/statements/catalogue.ts';
import { findMissingConditions } from '../support/statements/conditions.ts';

before(() => loadModule());

const columns = new Set(['organization_id', 'id', 'site_id', 'created_at']);
const catalogue: Catalogue = {
  tenantTables: new Set(['sites', 'books', 'tags']),
  columns: new Map([
    ['sites', columns],
    ['books', columns],
    ['tags', columns],
    ['users', new Set(['id', 'name'])],
  ]),
};

const missing = (text: string) => findMissingConditions(parseSync(text), catalogue);
const one = 'organization_id = $1';

const complete = [
  `SELECT FROM trellis.sites WHERE ${one}`,
  `SELECT FROM trellis.sites WHERE id = $2 AND $1::uuid = organization_id AND created_at > $3`,
  `SELECT FROM trellis.sites WHERE (organization_id, id) = ($1, $2)`,
  `SELECT FROM trellis.users WHERE id = $2`,
  // Derived from equal columns.
  `SELECT FROM trellis.sites s JOIN trellis.books b ON b.organization_id = s.organization_id WHERE s.${one}`,
  `SELECT FROM trellis.sites s, trellis.books b, trellis.tags t
   WHERE t.organization_id = b.organization_id AND b.organization_id = s.organization_id AND s.${one}`,
  `SELECT FROM trellis.sites s LEFT JOIN trellis.books b ON b.organization_id = s.organization_id WHERE s.${one}`,
  `SELECT FROM trellis.sites s LEFT JOIN trellis.books b ON b.${one} AND b.site_id = s.id WHERE s.${one}`,
  `SELECT FROM trellis.books b RIGHT JOIN trellis.sites s ON b.organization_id = s.organization_id WHERE s.${one}`,
  `SELECT FROM trellis.sites JOIN trellis.books USING (organization_id, id) WHERE ${one}`,
  // From a subquery or WITH that gives the organization.
  `SELECT FROM (SELECT organization_id AS o FROM trellis.sites WHERE ${one} LIMIT 1) s JOIN trellis.books b ON b.organization_id = s.o`,
  `WITH s (o) AS (SELECT organization_id FROM trellis.sites WHERE ${one})
   UPDATE trellis.books b SET id = $2 FROM s WHERE b.organization_id = s.o`,
  `WITH s AS (DELETE FROM trellis.sites WHERE ${one} RETURNING *) SELECT FROM s JOIN trellis.books b ON b.organization_id = s.organization_id`,
  // PostgreSQL moves the condition into the subquery.
  `SELECT FROM (SELECT * FROM trellis.sites WHERE id = $2) s WHERE s.${one}`,
  `SELECT FROM (SELECT b.id, s.organization_id AS o FROM trellis.sites s JOIN trellis.books b ON b.organization_id = s.organization_id) x WHERE o = $1`,
  `WITH RECURSIVE up AS (SELECT id, site_id FROM trellis.sites WHERE ${one} AND id = $2
     UNION ALL SELECT s.id, s.site_id FROM up JOIN trellis.sites s ON s.${one} AND s.id = up.site_id) SELECT FROM up`,
  `INSERT INTO trellis.sites (id, organization_id) VALUES ($2, $1), ($3, $1)`,
  `INSERT INTO trellis.sites (organization_id, id) SELECT $1, v FROM unnest($2::uuid[]) AS u (v)`,
  `INSERT INTO trellis.sites (id, organization_id) SELECT id, organization_id FROM trellis.books WHERE ${one}`,
];

test('a statement with the condition at every level, given or derived, has no fault', () => {
  for (const text of complete) assert.deepEqual(missing(text), [], text);
});

const incomplete: readonly (readonly [text: string, ...faults: string[]])[] = [
  [`SELECT FROM trellis.sites`, 'reads sites'],
  [`SELECT FROM sites`, 'reads sites'],
  [`SELECT FROM trellis.sites WHERE organization_id = $2`, 'reads sites'],
  [`SELECT FROM trellis.sites WHERE organization_id <> $1`, 'reads sites'],
  [`SELECT FROM trellis.sites WHERE organization_id = ANY ($1)`, 'reads sites'],
  [`SELECT FROM trellis.sites WHERE ${one} OR id = $2`, 'reads sites'],
  [`SELECT FROM trellis.sites WHERE NOT (${one})`, 'reads sites'],
  [`SELECT FROM trellis.sites s JOIN trellis.books b ON b.site_id = s.id WHERE s.${one}`, 'reads books AS b'],
  [`SELECT FROM trellis.sites s, trellis.books b WHERE s.${one}`, 'reads books AS b'],
  // A condition on the side that an outer join keeps chooses none of its rows.
  [`SELECT FROM trellis.sites s LEFT JOIN trellis.books b ON s.${one} AND b.${one}`, 'reads sites AS s'],
  [
    `SELECT FROM trellis.sites s FULL JOIN trellis.books b ON b.organization_id = s.organization_id AND s.${one}`,
    'reads sites AS s',
    'reads books AS b',
  ],
  [
    `SELECT (SELECT max(id) FROM trellis.books b WHERE b.site_id = s.id) FROM trellis.sites s WHERE ${one}`,
    'reads books AS b',
  ],
  [
    `SELECT FROM trellis.sites s WHERE s.${one} AND EXISTS (SELECT FROM trellis.books b WHERE b.organization_id = s.organization_id)`,
    'reads books AS b',
  ],
  [
    `SELECT FROM trellis.sites s LEFT JOIN LATERAL (SELECT FROM trellis.books b
       WHERE b.organization_id = s.organization_id LIMIT 1) x ON true WHERE s.${one}`,
    'reads books AS b',
  ],
  [`WITH x AS (SELECT organization_id FROM trellis.books) SELECT FROM x WHERE x.${one}`, 'reads books'],
  [`SELECT FROM (SELECT * FROM trellis.sites LIMIT 5) s WHERE s.${one}`, 'reads sites'],
  [`SELECT id FROM trellis.sites WHERE ${one} UNION SELECT id FROM trellis.books`, 'reads books'],
  [`SELECT id FROM trellis.sites WHERE ${one} ORDER BY (SELECT max(id) FROM trellis.books)`, 'reads books'],
  [`UPDATE trellis.sites SET id = (SELECT max(id) FROM trellis.books) WHERE ${one}`, 'reads books'],
  [`UPDATE trellis.sites SET id = $2`, 'reads sites'],
  [
    `DELETE FROM trellis.sites s USING trellis.books b WHERE b.${one} AND s.id = b.site_id`,
    'reads sites AS s',
  ],
  [
    `WITH gone AS (DELETE FROM trellis.books WHERE id = $2) SELECT FROM trellis.sites WHERE ${one}`,
    'reads books',
  ],
  [
    `WITH RECURSIVE up AS (SELECT id, site_id FROM trellis.sites WHERE ${one}
       UNION ALL SELECT s.id, s.site_id FROM up JOIN trellis.sites s ON s.id = up.site_id) SELECT FROM up`,
    'reads sites AS s',
  ],
  [`INSERT INTO trellis.sites (organization_id, id) VALUES ($1, $2), ($3, $4)`, 'inserts into sites'],
  [`INSERT INTO trellis.sites (id) VALUES ($1)`, 'inserts into sites'],
  [`INSERT INTO trellis.sites (organization_id, id) SELECT $1, id FROM trellis.books`, 'reads books'],
  [
    `INSERT INTO trellis.sites (organization_id) SELECT organization_id FROM trellis.books`,
    'reads books',
    'inserts into sites',
  ],
  [`MERGE INTO trellis.sites USING trellis.books ON true WHEN MATCHED THEN DELETE`, 'MERGE'],
];

test('a level without the condition is found', () => {
  for (const [text, ...faults] of incomplete) {
    const found = missing(text);
    assert.equal(found.length, faults.length, `${text}\n${found.join('\n')}`);
    for (const fault of faults)
      assert.ok(
        found.some((line) => line.startsWith(fault)),
        `${text}\n${found.join('\n')}`,
      );
  }
});
