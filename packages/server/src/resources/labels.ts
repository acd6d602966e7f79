/**
 * Why: labels (the `tags` of contacts, companies and knowledge files) are free words of a record, not records. Each stands
 * in a side table as well, by which lists are filtered.
 */
import type { SideTable } from '../pipeline/storage.ts';

/** The side table of a resource with labels. */
export function labelTable(table: 'contact_tags' | 'company_tags' | 'knowledge_file_tags'): SideTable {
  return {
    table,
    column: 'tag',
    type: 'text',
    unique: null,
    entries: ({ tags }) =>
      (tags as readonly string[]).map((value, index) => ({ value, pointer: `/tags/${index}` })),
  };
}
