/**
 * The groups of a list, such as its statuses, as links with the number of records of each. A group is the filter by its value, so its
 * address is that of the filtered list.
 */
import { Link } from '@tanstack/react-router';
import type { CountedChoice } from '@trellis/schema/resources/counts.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useEffect, useRef } from 'react';
import { useIntl } from 'react-intl';
import { canHave } from '../resources/values.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import shared from '../ui/shared.module.css';
import styles from './GroupBar.module.css';
import { texts } from './group-texts.ts';
import { type GroupCount, sumOf, useGroupCounts } from './groups.ts';
import { parametersOf, type View } from './view.ts';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly grouping: CountedChoice;
  readonly view: View;
  /** Parameters of the API. */
  readonly query: Readonly<Record<string, string>>;
  /** Whether to count the groups: after the list has been loaded. */
  readonly isCounted: boolean;
}

export function GroupBar({ resource, parentId, grouping, view, query, isCounted }: Props) {
  const groupText = useFeatureText(texts);
  const names = useNames();
  const counts = useGroupCounts(resource, parentId, grouping, query, isCounted);
  const countOf = (value: string | null) => counts?.find((count) => count.value === value);
  const bar = useRef<HTMLElement>(null);
  const { [grouping.name]: shown = '', ...others } = view.filters;
  // Where there is little room, the group that is shown may stand outside of what is seen of the bar.
  useEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>(`[data-group="${shown}"]`);
    if (bar.current === null || current === null || current === undefined) return;
    bar.current.scrollLeft = current.offsetLeft - (bar.current.clientWidth - current.offsetWidth) / 2;
  }, [shown]);
  const groups = grouping.values
    .filter((value) => value !== null)
    .filter((value) => canHave(resource, grouping.field, value));
  const none = countOf(null);
  return (
    <nav
      ref={bar}
      className={styles.bar}
      aria-label={groupText('groups', { name: names.field(grouping.name) })}
    >
      {['', ...groups].map((value) => {
        const filters = value === '' ? others : { ...others, [grouping.name]: value };
        return (
          <Link
            key={value}
            to="."
            search={parametersOf(resource, { ...view, filters })}
            replace
            resetScroll={false}
            activeOptions={{ exact: true }}
            className={`${shared.item} ${styles.group}`}
            data-group={value}
          >
            {value === '' ? groupText('all') : names.value(value)}
            <Count of={value === '' ? counts && sumOf(counts) : countOf(value)} />
          </Link>
        );
      })}
      {none !== undefined && none.count > 0 && (
        <span className={`${shared.item} ${styles.group}`}>
          {groupText('none')}
          <Count of={none} />
        </span>
      )}
    </nav>
  );
}

function Count({ of }: { readonly of: Omit<GroupCount, 'value'> | undefined }) {
  const { formatNumber } = useIntl();
  const groupText = useFeatureText(texts);
  if (of === undefined) return null;
  return (
    <span className={styles.count} data-empty={of.count === 0 && of.isExact ? '' : undefined}>
      {' '}
      {of.isExact ? formatNumber(of.count) : groupText('orMore', { count: of.count })}
    </span>
  );
}
