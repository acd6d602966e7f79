/** Records that refer to the one of the page: the first of them by name, and the way to all. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { ApiRecord, Page } from '../../api/api.ts';
import { collectionPath, recordPathOf } from '../../resources/places.ts';
import { listRecords, recordKeys } from '../../resources/queries.ts';
import { titleOf } from '../../resources/values.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { Icon } from '../../ui/icons.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import styles from './ReadingPage.module.css';
import { Section } from './ReadingPage.tsx';
import { texts } from './texts.ts';

/** Records that are shown; the others are in the list. */
const mostShown = 10;

interface Props<Related extends ApiRecord> {
  readonly title: string;
  /** Of the related records, which has no parent. */
  readonly resource: Resource;
  /** The filter that finds them, and its value. */
  readonly filter: Readonly<Record<string, string>>;
  /** Fields that `describe` reads, besides the name. */
  readonly fields?: readonly (keyof Related & string)[];
  /** What is said beside the name; '' for nothing. */
  readonly describe?: (record: Related) => string;
  /** What is said where there are none; without it nothing is shown then. */
  readonly none?: string;
  /** The form of another one, and what its link says. */
  readonly add?: { readonly label: string; readonly search: Readonly<Record<string, string>> };
}

export function RelatedRecords<Related extends ApiRecord>({
  title,
  resource,
  filter,
  fields = [],
  describe,
  none,
  add,
}: Props<Related>) {
  const { api } = useWorkspace();
  const featureText = useFeatureText(texts);
  const refusalOf = useRefusal();
  const refusal = refusalOf(resource, 'read');
  const query = {
    ...filter,
    fields: [resource.titleField, ...(resource.titleFallbacks ?? []), ...fields].join(','),
    sort: resource.titleField,
    limit: String(mostShown),
  };
  const related = useQuery({
    queryKey: [...recordKeys.list(resource, null, JSON.stringify(query)), 'related'],
    queryFn: ({ signal }) =>
      listRecords(api, resource, null, query, undefined, signal) as Promise<Page<Related>>,
    enabled: refusal === null,
  });
  const newPath: string = `${collectionPath(resource, null)}/new`;
  const items = related.data?.items ?? [];
  const isNone = related.isSuccess && items.length === 0;
  if (none === undefined && (isNone || related.isPending)) return null;
  return (
    <Section title={title}>
      {refusal !== null && <p className={shared.about}>{refusal}</p>}
      {refusal === null && related.isPending && <Loading />}
      <FailureNotice error={related.error} />
      {isNone && <p className={shared.about}>{none}</p>}
      <ul className={styles.list}>
        {items.map((record) => (
          <li key={record.id}>
            <Link to={recordPathOf(resource, null, record.id)} className={shared.link}>
              {titleOf(resource, record)}
            </Link>
            <span className={shared.about}>{describe?.(record)}</span>
          </li>
        ))}
        {related.data?.pageInfo.hasNextPage === true && (
          <li>
            <Link to={collectionPath(resource, null)} search={filter} className={shared.link}>
              {featureText('all')}
            </Link>
          </li>
        )}
      </ul>
      {add !== undefined && refusalOf(resource, 'create') === null && (
        <Link to={newPath} search={add.search} className={styles.add}>
          <Icon name="plus" size={14} />
          {add.label}
        </Link>
      )}
    </Section>
  );
}
