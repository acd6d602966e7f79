/** A feature can be removed: nothing but the lists of features knows its code. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { copyProduct } from '../support/product-copy.ts';

/** The lists that name the feature. */
const lists = [
  'packages/server/src/features.ts',
  'packages/server/src/program.ts',
  'packages/console/src/app/features.ts',
];

/** Removes the imports of a list that name the feature, and the entries with what they import. */
function withoutFeature(list: string, feature: string): string {
  const imported = [...list.matchAll(/^import \{ ([^}]+) \} from '([^']+)';\n/gm)].filter(([, , path = '']) =>
    path.includes(`/${feature}/`),
  );
  const names = imported.flatMap(([, all = '']) =>
    all.split(',').map((name) => name.replace('type ', '').trim()),
  );
  const remaining = imported.reduce((text, [statement]) => text.replace(statement, ''), list);
  // An entry is a name, a call that may go over several lines, or a member with an import on demand.
  const entries = [
    ...names.flatMap((name) => [`^ +${name},\n`, `^( +)${name}\\((?:.*\\),\n|\n(?:.*\n)*?\\1\\),\n)`]),
    `^ +${feature}: async .*/${feature}/.*\n`,
  ];
  return entries.reduce((text, entry) => text.replace(new RegExp(entry, 'm'), ''), remaining);
}

test('the types of the product hold without the webhooks', async () => {
  const copy = await copyProduct(['package.json', 'tsconfig.json']);
  try {
    for (const folder of [
      'packages/server/src/features/webhooks',
      'packages/server/src/commands/webhooks',
      'packages/console/src/features/webhooks',
    ])
      await rm(join(copy, folder), { recursive: true });
    for (const path of lists) {
      const list = await readFile(join(copy, path), 'utf8');
      const shorter = withoutFeature(list, 'webhooks');
      assert.notEqual(shorter, list, path);
      assert.doesNotMatch(shorter, /webhooksFeature|\/webhooks\//, path);
      await writeFile(join(copy, path), shorter);
    }
    await writeFile(
      join(copy, 'tsconfig.server.json'),
      JSON.stringify({ extends: './tsconfig.json', include: ['packages/server'] }),
    );
    for (const project of ['tsconfig.server.json', 'packages/console/src']) {
      const { stdout, status } = spawnSync(
        process.execPath,
        ['node_modules/typescript/bin/tsc', '-p', project],
        {
          cwd: copy,
          encoding: 'utf8',
        },
      );
      assert.equal(status, 0, stdout);
    }
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
});
