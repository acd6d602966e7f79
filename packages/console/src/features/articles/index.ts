/** Articles: the page on which they are written. */
import { lazy } from 'react';
import type { Presentations } from '../../resources/presentation.ts';
import { isScheduled, mayAutosave } from './autosave.ts';

const ArticlePage = lazy(() =>
  import('./ArticlePage.tsx').then((module) => ({ default: module.ArticlePage })),
);

const EmptyBeforePublication = lazy(() =>
  import('./EmptyBeforePublication.tsx').then((module) => ({ default: module.EmptyBeforePublication })),
);

export const articlePresentations: Presentations = {
  articles: {
    icon: 'file',
    columns: ['versionData.title', 'versionData.status', 'state', 'updatedAt'],
    record: ArticlePage,
    beforePublication: EmptyBeforePublication,
    // The server refuses to such requests what needs the right to publish, but not to cancel a publication.
    allowsAutosave: (article) => !isScheduled(article),
    // The rest changes what readers see, now or later: the page of the article says so.
    mayChangeInList: (field, article) => field.startsWith('versionData.') && mayAutosave(field, article),
  },
};
