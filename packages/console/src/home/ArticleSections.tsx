/** The articles that wait: one's drafts, those in review, and the scheduled ones. */
import { useQuery } from '@tanstack/react-query';
import { useWorkspace } from '../app/workspace.ts';
import { useFeatureText } from '../text/feature.ts';
import styles from './HomePage.module.css';
import { HomeSection, WaitingList } from './HomeSection.tsx';
import { texts } from './texts.ts';
import { readArticleWork } from './work.ts';

/** @param siteIds the sites; undefined while they are read */
export function ArticleSections({ siteIds }: { readonly siteIds: readonly string[] | undefined }) {
  const own = useFeatureText(texts);
  const { api, signedIn } = useWorkspace();
  const work = useQuery({
    queryKey: ['v1', 'articles', 'work', signedIn.user.id, siteIds],
    queryFn: ({ signal }) => readArticleWork(api, siteIds ?? [], signedIn.user.id, signal),
    enabled: siteIds !== undefined,
  });
  return (
    <div className={styles.column}>
      <HomeSection title={own('drafts')} error={work.error}>
        {!work.isError && <WaitingList items={work.data?.drafts} none={own('noDrafts')} />}
      </HomeSection>
      {!work.isError && (
        <>
          <HomeSection title={own('inReview')}>
            <WaitingList items={work.data?.inReview} none={own('noReview')} />
          </HomeSection>
          <HomeSection title={own('scheduled')}>
            <WaitingList items={work.data?.scheduled} none={own('noScheduled')} />
          </HomeSection>
        </>
      )}
    </div>
  );
}
