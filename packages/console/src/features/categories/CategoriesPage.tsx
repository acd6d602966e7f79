/** The categories of a site: a tree in which they are moved, or the list that every resource has. */
import { Button } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ListPage } from '../../lists/ListPage.tsx';
import type { ListPageProps } from '../../resources/presentation.ts';
import { useFeatureText } from '../../text/feature.ts';
import { CategoryTree } from './CategoryTree.tsx';
import { texts } from './texts.ts';

/** Under this name the browser keeps that somebody prefers the list. */
const listKey = 'trellis.categories.list';

export function CategoriesPage({ resource, parentId }: ListPageProps) {
  const featureText = useFeatureText(texts);
  const search = useSearch({ strict: false });
  const [prefersList, setPrefersList] = useState(() => localStorage.getItem(listKey) !== null);
  const prefer = (list: boolean) => {
    if (list) localStorage.setItem(listKey, 'yes');
    else localStorage.removeItem(listKey);
    setPrefersList(list);
  };
  // An address that searches, filters or sorts means a list, whoever opens it.
  const isView = Object.keys(search).length > 0;
  if (prefersList || isView || parentId === null) {
    const asTree = (
      <Button variant="default" onClick={() => prefer(false)}>
        {featureText('asTree')}
      </Button>
    );
    return <ListPage resource={resource} parentId={parentId} actions={!isView && asTree} />;
  }
  return (
    <CategoryTree
      resource={resource}
      parentId={parentId}
      actions={
        <Button variant="default" onClick={() => prefer(true)}>
          {featureText('asList')}
        </Button>
      }
    />
  );
}
