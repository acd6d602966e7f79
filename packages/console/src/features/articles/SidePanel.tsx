/** What belongs to an article besides its text: from the declaration, in groups. */

import { Button, Group } from '@mantine/core';
import type { Field } from '@trellis/schema/resources/fields.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { pointerOf, valueAt } from '@trellis/schema/values/paths.ts';
import { type ReactNode, useState } from 'react';
import type { Fault } from '../../api/problem.ts';
import { type Draft, faultsAt, withValue } from '../../fields/draft.ts';
import { Fields } from '../../records/RecordForm.tsx';
import { RecordSide } from '../../records/RecordSide.tsx';
import { texts as recordTexts } from '../../records/texts.ts';
import { resourceByName } from '../../resources/declared.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import shared from '../../ui/shared.module.css';
import styles from './ArticleEditor.module.css';
import { IssuesOfArticle } from './IssuesOfArticle.tsx';
import { SearchPreview } from './SearchPreview.tsx';
import { TaxonomySelect } from './TaxonomySelect.tsx';
import { texts } from './texts.ts';
import type { ArticleEditing } from './use-article.ts';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly article: ArticleEditing;
  readonly faults: readonly Fault[];
  readonly isLocked: boolean;
}

/** Fields that are shown elsewhere. */
const placed = new Set([
  'versionData.title',
  'versionData.summary',
  'versionData.body',
  'versionData.status',
  'versionData.scheduledFor',
  'versionData.unpublishAt',
  'versionData.returnNote',
  'versionData.submittedAt',
  'versionData.submittedBy',
  'versionData.returnedAt',
  'versionData.returnedBy',
  'articleData.tagIds',
  'articleData.categoryIds',
  'articleData.primaryCategoryId',
  'articleData.slug',
  'articleData.authors',
  'articleData.canonicalUrl',
  'versionData.seo',
]);

const primaryPointer = pointerOf('articleData.primaryCategoryId');

export function SidePanel({ resource, parentId, article, faults, isLocked }: Props) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const publishing = useRefusal()(resource, 'publish');
  const undo = useFeatureText(recordTexts)('undo');
  const { record, draft, setDraft, held, save } = article;
  /** What was discarded last, for as long as it can be taken back. */
  const [discarded, setDiscarded] = useState<Draft | null>(null);
  const apply = () => {
    setDiscarded(null);
    save('articleData');
  };
  const discard = () => {
    const entries = Object.entries(draft);
    setDiscarded(Object.fromEntries(entries.filter(([name]) => held.includes(name))));
    setDraft(Object.fromEntries(entries.filter(([name]) => !held.includes(name))));
  };
  const takeBack = () => {
    setDiscarded(null);
    setDraft({ ...draft, ...discarded });
  };
  const isSeen = typeof record.publishedVersionNumber === 'number';
  const fieldsOf = (keep: (name: string) => boolean) =>
    flattenFields(resource).filter(([name]) => name.includes('.') && keep(name));
  const input = (fields: readonly (readonly [string, Field])[], isReadOnly = isLocked) => (
    <Fields
      fields={fields}
      parentId={parentId}
      record={record}
      draft={draft}
      setDraft={setDraft}
      faults={faults}
      isReadOnly={isReadOnly}
      disabled={false}
    />
  );
  // Without the right to publish nobody changes what readers see.
  const isShutToReaders = isLocked || (isSeen && publishing !== null);
  const named = (...wanted: string[]) => fieldsOf((name) => wanted.includes(name));
  const others = fieldsOf((name) => name.startsWith('articleData.') && !placed.has(name));
  const listOf = (name: string) => {
    const value = Object.hasOwn(draft, name) ? draft[name] : valueAt(record, name);
    return Array.isArray(value) ? value.map(String) : [];
  };
  const taxonomy = (name: string, target: string) =>
    isShutToReaders ? (
      input(named(name), true)
    ) : (
      <TaxonomySelect
        resource={resourceByName(target)}
        parentId={parentId}
        label={names.field(name)}
        value={listOf(name)}
        onChange={(ids) => setDraft(withValue(draft, name, ids, valueAt(record, name)))}
        fault={faultsAt(faults, pointerOf(name))}
      />
    );
  return (
    <aside className={styles.panel} aria-label={featureText('details')}>
      <Section title={featureText('organize')}>
        {isSeen && !isLocked && <p className={shared.about}>{publishing ?? featureText('seenAtOnce')}</p>}
        {taxonomy('articleData.categoryIds', 'categories')}
        {(listOf('articleData.categoryIds').length > 1 || faultsAt(faults, primaryPointer) !== null) &&
          input(named('articleData.primaryCategoryId'), isShutToReaders)}
        {taxonomy('articleData.tagIds', 'tags')}
        {input(named('articleData.authors'), isShutToReaders)}
      </Section>
      <IssuesOfArticle siteId={parentId} articleId={record.id} />
      <Section title={featureText('address')}>
        {input(named('articleData.slug', 'articleData.canonicalUrl'), isShutToReaders)}
        {input(
          others.filter(([, { isForPublishers }]) => !isForPublishers),
          isShutToReaders,
        )}
        {input(
          others.filter(([, { isForPublishers }]) => isForPublishers),
          isLocked || publishing !== null,
        )}
        {(held.length > 0 || discarded !== null) && (
          <Group gap={8}>
            {held.length > 0 ? (
              <Button size="xs" onClick={apply}>
                {featureText('apply')}
              </Button>
            ) : (
              <span role="status">{featureText('discarded')}</span>
            )}
            {/* One button, so that it keeps the focus. */}
            <Button size="xs" variant="default" onClick={held.length > 0 ? discard : takeBack}>
              {held.length > 0 ? featureText('discard') : undo}
            </Button>
          </Group>
        )}
      </Section>
      <Section title={featureText('content')}>
        {input(fieldsOf((name) => name.startsWith('versionData.') && !placed.has(name)))}
      </Section>
      <Section title={featureText('seo')}>
        <SearchPreview article={article} parentId={parentId} />
        {input(named('versionData.seo'))}
      </Section>
      <details className={`${shared.fields} ${styles.group}`}>
        <summary className={shared.subtitle}>{featureText('more')}</summary>
        <RecordSide resource={resource} record={record} />
      </details>
    </aside>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div role="group" className={`${shared.fields} ${styles.group}`} aria-label={title}>
      <h2 className={shared.subtitle}>{title}</h2>
      {children}
    </div>
  );
}
