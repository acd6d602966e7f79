/** The lists by which `npm test` and the soak choose and divide test files. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { incompatible, long } from '../../scripts/tests/groups.ts';
import { dependsOnPostgresql } from '../../scripts/tests/oldest-postgresql.ts';
import { isLongerInSoak, isOnlyInSoak, onlyInSoak } from '../../scripts/tests/soak-files.ts';

test('every listed file exists, once in its list', () => {
  for (const list of [incompatible, long, dependsOnPostgresql, onlyInSoak]) {
    assert.deepEqual(
      list.filter((file) => !existsSync(file)),
      [],
    );
    assert.equal(new Set(list).size, list.length);
  }
});

test('the soak runs what npm test leaves out, and what asks for its length', () => {
  const pages = ['test/console/gallery.test.ts', 'test/walks/articles.test.ts'];
  for (const file of [...onlyInSoak, ...pages, 'test/soak/list-statements.test.ts']) {
    assert.ok(isOnlyInSoak(file) && isLongerInSoak(file), file);
  }
  for (const file of ['test/model/sequences.test.ts', 'test/walks/everyone.test.ts']) {
    assert.ok(!isOnlyInSoak(file) && isLongerInSoak(file), file);
  }
  for (const file of ['test/lib/isbn.test.ts', 'test/console/texts.test.ts'])
    assert.ok(!isLongerInSoak(file), file);
});
