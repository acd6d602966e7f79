/** The articles that wait: one's drafts, those in review, and the scheduled ones. */
import type { WaitingArticle } from '@trellis/client/generated/types.ts';
import { useFeatureText } from '../../text/feature.ts';
import styles from './HomePage.module.css';
import { HomeSection, WaitingList } from './HomeSection.tsx';
import { texts } from './texts.ts';
import { toWaiting, useWaitingWork } from './work.ts';

export function ArticleSections() {
  const own = useFeatureText(texts);
  const work = useWaitingWork();
  const items = (articles: readonly WaitingArticle[] | null | undefined) => articles?.map(toWaiting);
  return (
    <div className={styles.column}>
      <HomeSection title={own('drafts')} error={work.error}>
        {!work.isError && <WaitingList items={items(work.data?.drafts)} none={own('noDrafts')} />}
      </HomeSection>
      {!work.isError && (
        <>
          <HomeSection title={own('inReview')}>
            <WaitingList items={items(work.data?.inReview)} none={own('noReview')} />
          </HomeSection>
          <HomeSection title={own('scheduled')}>
            <WaitingList items={items(work.data?.scheduled)} none={own('noScheduled')} />
          </HomeSection>
        </>
      )}
    </div>
  );
}
