/** The edits of files of the product for exhibitions, as somebody would make them by hand. */
import assert from 'node:assert/strict';

/** The text with something inserted before the only place that begins so. */
export function insert(text: string, before: string, inserted: string): string {
  assert.equal(text.split(before).length, 2, `one ${before}`);
  return text.replace(before, `${inserted}${before}`);
}

/** packages/server/src/features.ts with the feature. @param code its module, as the file imports it */
export function withExhibitions(features: string, code: string): string {
  return insert(
    insert(features, 'import { issuesFeature }', `import { exhibitionsFeature } from '${code}';\n`),
    '    issuesFeature,\n',
    '    exhibitionsFeature,\n',
  );
}
