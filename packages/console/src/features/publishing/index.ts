/** Books, magazines and issues, whose pages are derived from their declarations. */
import { lazy } from 'react';
import type { Presentations } from '../../resources/presentation.ts';

const ContentsBeforePublication = lazy(() =>
  import('./ContentsBeforePublication.tsx').then((module) => ({ default: module.ContentsBeforePublication })),
);

export const publishingPresentations: Presentations = {
  books: {
    icon: 'book',
    columns: ['title', 'coverFileId', 'isbn13', 'tradeStatus', 'updatedAt'],
    gallery: { field: 'coverFileId' },
  },
  magazines: { icon: 'archive', columns: ['title', 'coverFileId', 'issnPrint', 'frequency', 'updatedAt'] },
  issues: {
    icon: 'list',
    columns: ['title', 'coverFileId', 'volume', 'number', 'status', 'updatedAt'],
    beforePublication: ContentsBeforePublication,
  },
};
