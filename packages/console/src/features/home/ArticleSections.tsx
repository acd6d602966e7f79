/** The articles that wait: what goes live today, what came back to one and one's drafts, those in review, and the scheduled ones. */
import type { WaitingArticle } from '@trellis/client/generated/types.ts';
import { resourceByName } from '../../resources/declared.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useFeatureText } from '../../text/feature.ts';
import { HomeSection, WaitingList } from './HomeSection.tsx';
import { texts } from './texts.ts';
import { toWaiting, useWaitingWork } from './work.ts';

type Articles = readonly WaitingArticle[] | null | undefined;

const items = (articles: Articles) => articles?.map(toWaiting);

export function ArticleSections() {
  const featureText = useFeatureText(texts);
  const work = useWaitingWork();
  const mayApprove = useRefusal()(resourceByName('articles'), 'publish') === null;
  // What came back is a draft as well, and shown once.
  const isReturned = ({ id }: WaitingArticle) => work.data?.returned?.some((one) => one.id === id) === true;
  const drafts = work.data?.drafts?.filter((draft) => !isReturned(draft));
  const today = new Date().toDateString();
  const isToday = ({ scheduledFor }: WaitingArticle) =>
    scheduledFor !== null && new Date(scheduledFor).toDateString() === today;
  const dueToday = work.data?.scheduled?.filter(isToday) ?? [];
  const dueLater = work.data?.scheduled?.filter((article) => !isToday(article));
  return (
    <>
      {dueToday.length > 0 && (
        <HomeSection title={featureText('today')}>
          <WaitingList items={items(dueToday)} none="" />
        </HomeSection>
      )}
      <DoneByOthers title={featureText('returned')} articles={work.data?.returned} done="sentBackBy" />
      <DoneByOthers title={featureText('published')} articles={work.data?.published} done="publishedBy" />
      <HomeSection title={featureText('drafts')} error={work.error}>
        {!work.isError && <WaitingList items={items(drafts)} none={featureText('noDrafts')} />}
      </HomeSection>
      {!work.isError && (
        <>
          {mayApprove && (
            <HomeSection title={featureText('inReview')}>
              <WaitingList items={items(work.data?.inReview)} none={featureText('noReview')} />
            </HomeSection>
          )}
          <HomeSection title={featureText('scheduled')}>
            <WaitingList
              items={items(dueLater)}
              none={featureText(dueToday.length > 0 ? 'noMoreScheduled' : 'noScheduled')}
            />
          </HomeSection>
        </>
      )}
    </>
  );
}

interface DoneProps {
  readonly title: string;
  readonly articles: Articles;
  readonly done: 'sentBackBy' | 'publishedBy';
}

/** What others did with one's articles; nothing where they did nothing. */
function DoneByOthers({ title, articles, done }: DoneProps) {
  if (articles === undefined || articles === null || articles.length === 0) return null;
  return (
    <HomeSection title={title}>
      <WaitingList items={items(articles)} none="" done={done} />
    </HomeSection>
  );
}
