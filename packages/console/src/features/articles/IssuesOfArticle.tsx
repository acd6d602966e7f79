/** The issues that contain an article, as links. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Use } from '@trellis/client/generated/types.ts';
import { useRecordName } from '../../fields/ReferenceName.tsx';
import { resourceByName } from '../../resources/declared.ts';
import { placeOfRequest, recordPathOf } from '../../resources/places.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { FailureNotice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import styles from './ArticleEditor.module.css';
import { texts } from './texts.ts';

/** Issues that are named. */
const mostNamed = 5;

interface Props {
  readonly siteId: string | null;
  readonly articleId: string;
}

/** Nothing for an article that is in no issue, and for who may not read issues. */
export function IssuesOfArticle({ siteId, articleId }: Props) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { api } = useWorkspace();
  const issues = resourceByName('issues');
  const mayRead = useRefusal()(issues, 'read') === null;
  const usage = useQuery({
    queryKey: [...recordKeys.all(issues), 'containing', articleId],
    queryFn: ({ signal }) =>
      api.read('getArticleUsage', { path: { siteId: siteId ?? '', id: articleId }, signal }),
    enabled: mayRead && siteId !== null,
    staleTime: 0,
  });
  const uses = (usage.data?.items ?? []).filter(({ type }) => type === issues.singular);
  if (uses.length === 0 && !usage.isError) return null;
  const isMore = uses.length > mostNamed || usage.data?.hasMore === true;
  return (
    <div role="group" className={`${shared.fields} ${styles.group}`} aria-label={names.plural(issues)}>
      <h2 className={shared.subtitle}>{names.plural(issues)}</h2>
      <FailureNotice error={usage.error} />
      <ul className={`${shared.list} ${shared.tight} ${styles.issues}`}>
        {uses.slice(0, mostNamed).map((use) => (
          <IssueLink key={use.id} use={use} />
        ))}
      </ul>
      {isMore && <p className={shared.about}>{featureText('inFurtherIssues')}</p>}
    </div>
  );
}

function IssueLink({ use }: { readonly use: Use }) {
  const featureText = useFeatureText(texts);
  const place = placeOfRequest(new URL(use.url).pathname);
  const magazine = useRecordName(resourceByName('magazines'), null, place?.parentId ?? null);
  if (place === null) return null;
  return (
    <li>
      <Link to={recordPathOf(place.resource, place.parentId, use.id)}>
        {featureText('inIssue', { issue: use.title, magazine, published: String(use.published) })}
      </Link>
    </li>
  );
}
