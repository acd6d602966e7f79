/**
 * `npm run generate`: writes docs/generated, the files that others rely on (the API's document, its errors, permissions
 * and limits, the settings, the schema), and what packages/client knows of the operations, so that every change of them
 * shows in a review.
 *
 *   npm run generate                 writes the files; schema.sql is made from a new database
 *   npm run generate -- --pictures   also takes the pictures of docs/console.md, in Chromium
 *   npm run generate -- --check      fails when a file does not match the code, when the API's document has changed since
 *                                    the last commit and CHANGELOG.md has not, or when the shape of the visitor lookup
 *                                    differs from its own changelog. Needs no database: schema.sql is checked by
 *                                    test/database/schema.test.ts
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeNewSchema } from './describe-schema.ts';
import { checkGeneratedFiles, writeGeneratedFiles } from './generated-files.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

if (process.argv.includes('--check')) {
  const faults = checkGeneratedFiles(root);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
} else {
  const { written, withoutSchema } = await writeGeneratedFiles(root, describeNewSchema);
  for (const file of written) process.stdout.write(`${file} written\n`);
  // The others are worth having without it, and the tests tell when it is out of date.
  if (withoutSchema !== null)
    process.stderr.write(`docs/generated/schema.sql is left as it is: ${withoutSchema}\n`);
  if (process.argv.includes('--pictures')) {
    const { takePictures } = await import('./console-pictures.ts');
    await takePictures(root, join(root, 'docs/pictures'));
  }
}
