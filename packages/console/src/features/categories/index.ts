/** Categories as a tree, and tags. */
import { lazy } from 'react';
import type { Presentations } from '../../resources/presentation.ts';

const CategoriesPage = lazy(() =>
  import('./CategoriesPage.tsx').then((module) => ({ default: module.CategoriesPage })),
);

export const categoryPresentations: Presentations = {
  categories: { icon: 'folder', columns: ['name', 'slug', 'parentId', 'updatedAt'], list: CategoriesPage },
  tags: { icon: 'tag', columns: ['name', 'slug', 'color', 'updatedAt'] },
};
