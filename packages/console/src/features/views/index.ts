/** Saved views: opening one shows its list. */
import { lazy } from 'react';
import type { Presentations } from '../../resources/presentation.ts';

const SavedViewPage = lazy(() =>
  import('./SavedViewPage.tsx').then((module) => ({ default: module.SavedViewPage })),
);

export const viewPresentations: Presentations = {
  views: {
    icon: 'filter',
    columns: ['name', 'resource', 'shared', 'ownerUserId', 'updatedAt'],
    record: SavedViewPage,
  },
};
