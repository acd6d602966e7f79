/** The edits of files of the product for exhibitions, as somebody would make them by hand. */
import assert from 'node:assert/strict';

/** The text with something inserted before the only place that begins so. */
export function insert(text: string, before: string, inserted: string): string {
  assert.equal(text.split(before).length, 2, `one ${before}`);
  return text.replace(before, `${inserted}${before}`);
}

/** packages/server/src/node/api/operations.ts with the code of the resource. @param code its module, as the file imports it */
export function withExhibitions(operations: string, code: string): string {
  return insert(
    insert(operations, 'import { trashOperations }', `import { exhibitionOperations } from '${code}';\n`),
    '  [knowledgeFiles.name]:',
    '  exhibitions: exhibitionOperations,\n',
  );
}
