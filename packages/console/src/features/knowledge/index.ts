/** Knowledge files: their content beside their form. */
import { lazy } from 'react';
import type { Presentations } from '../../resources/presentation.ts';

const FilesPage = lazy(() => import('./FilesPage.tsx').then((module) => ({ default: module.FilesPage })));
const NewFilePage = lazy(() => import('./FilesPage.tsx').then((module) => ({ default: module.NewFilePage })));
const FilePage = lazy(() => import('./FilePage.tsx').then((module) => ({ default: module.FilePage })));

const UsesOfDeleted = lazy(() =>
  import('./UsesOfDeleted.tsx').then((module) => ({ default: module.UsesOfDeleted })),
);

export const knowledgePresentations: Presentations = {
  'knowledge-files': {
    icon: 'file',
    columns: ['name', 'status', 'visibility', 'mediaType', 'updatedAt'],
    technicalFields: ['fileName', 'mediaType', 'sizeBytes', 'sha256', 'contentVersion', 'picturePath'],
    list: FilesPage,
    record: FilePage,
    create: NewFilePage,
    beforeDeletion: UsesOfDeleted,
  },
};
