/** Books, magazines and issues, whose pages are derived from their declarations. */
import type { Presentations } from '../../resources/presentation.ts';

export const publishingPresentations: Presentations = {
  books: { icon: 'book', columns: ['title', 'coverFileId', 'isbn13', 'tradeStatus', 'updatedAt'] },
  magazines: { icon: 'archive', columns: ['title', 'coverFileId', 'issnPrint', 'frequency', 'updatedAt'] },
  issues: { icon: 'list', columns: ['title', 'coverFileId', 'volume', 'number', 'status', 'updatedAt'] },
};
