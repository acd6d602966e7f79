/** The articles that wait: one's drafts, those in review, and the scheduled ones. */
import type { WaitingArticle } from '@trellis/client/generated/types.ts';
import { useFeatureText } from '../../text/feature.ts';
import styles from './HomePage.module.css';
import { HomeSection, WaitingList } from './HomeSection.tsx';
import { texts } from './texts.ts';
import { toWaiting, useWaitingWork } from './work.ts';

export function ArticleSections() {
  const featureText = useFeatureText(texts);
  const work = useWaitingWork();
  const items = (articles: readonly WaitingArticle[] | null | undefined) => articles?.map(toWaiting);
  return (
    <div className={styles.column}>
      <HomeSection title={featureText('drafts')} error={work.error}>
        {!work.isError && <WaitingList items={items(work.data?.drafts)} none={featureText('noDrafts')} />}
      </HomeSection>
      {!work.isError && (
        <>
          <HomeSection title={featureText('inReview')}>
            <WaitingList items={items(work.data?.inReview)} none={featureText('noReview')} />
          </HomeSection>
          <HomeSection title={featureText('scheduled')}>
            <WaitingList items={items(work.data?.scheduled)} none={featureText('noScheduled')} />
          </HomeSection>
        </>
      )}
    </div>
  );
}
