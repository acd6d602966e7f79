/** Knowledge files: their content beside their form. */
import { lazy } from 'react';
import type { Presentations } from '../../resources/presentation.ts';

const FilesPage = lazy(() => import('./FilesPage.tsx').then((module) => ({ default: module.FilesPage })));
const NewFilePage = lazy(() => import('./FilesPage.tsx').then((module) => ({ default: module.NewFilePage })));
const FilePage = lazy(() => import('./FilePage.tsx').then((module) => ({ default: module.FilePage })));

const PictureOfRecord = lazy(() =>
  import('./pictures/PictureOfRecord.tsx').then((module) => ({ default: module.PictureOfRecord })),
);
const PictureInput = lazy(() =>
  import('./pictures/PictureInput.tsx').then((module) => ({ default: module.PictureInput })),
);
const UsesOfDeleted = lazy(() =>
  import('./questions.ts').then((module) => ({ default: module.UsesOfDeleted })),
);
const BeforePublication = lazy(() =>
  import('./questions.ts').then((module) => ({ default: module.BeforePublication })),
);

export const knowledgePresentations: Presentations = {
  'knowledge-files': {
    icon: 'file',
    columns: ['name', 'status', 'visibility', 'mediaType', 'updatedAt'],
    gallery: { field: 'picturePath', isItself: true },
    technicalFields: ['fileName', 'mediaType', 'sizeBytes', 'sha256', 'contentVersion', 'picturePath'],
    list: FilesPage,
    record: FilePage,
    create: NewFilePage,
    beforeDeletion: UsesOfDeleted,
    picture: { Shown: PictureOfRecord, Input: PictureInput, BeforePublication },
  },
};
