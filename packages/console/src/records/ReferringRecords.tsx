/** The records that keep one from being deleted, as links to them, and to the lists in which all of them can be changed. */
import { Link } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { ProblemError } from '../api/problem.ts';
import { targetOfFilter } from '../fields/kinds/record.tsx';
import { resources } from '../resources/declared.ts';
import { collectionPath, placeOfRequest, recordPathOf } from '../resources/places.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import styles from './RecordPage.module.css';
import { texts } from './texts.ts';

interface Props {
  /** `in_use`. */
  readonly problem: ProblemError;
  /** Of the record that is used. */
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly recordId: string;
}

export function ReferringRecords({ problem, resource, parentId, recordId }: Props) {
  const names = useNames();
  const featureText = useFeatureText(texts);
  const { uses, usedBy } = problem.members;
  const named = listOf(uses).flatMap(({ id, path, title }) => {
    const place = placeOfRequest(String(path));
    return place === null ? [] : [{ ...place, id: String(id), title: String(title) }];
  });
  const lists = listOf(usedBy).flatMap(({ resource: name, count }) => {
    const user = resources.find((one) => one.name === name);
    const href = user && Number(count) > 1 ? listOfUsers(user, resource, parentId, recordId) : null;
    return user === undefined || href === null ? [] : [{ user, count: Number(count), ...href }];
  });
  if (named.length === 0) return null;
  return (
    <>
      <ul className={styles.named}>
        {named.map(({ resource: user, parentId: above, id, title }) => (
          <li key={id}>
            <Link to={recordPathOf(user, above, id) as string}>
              {title.trim() === '' ? featureText('untitled') : title}
            </Link>{' '}
            ({names.singular(user)})
          </li>
        ))}
      </ul>
      {lists.length > 0 && (
        <p className={styles.lists}>
          {featureText('changeThem')}{' '}
          {lists.map(({ user, count, path, search }) => (
            <Link key={user.name} to={path as string} search={search}>
              {`${names.plural(user)} (${count})`}
            </Link>
          ))}
        </p>
      )}
    </>
  );
}

/** The list of a resource's records that refer to a record; null if no filter finds them. */
function listOfUsers(user: Resource, target: Resource, parentId: string | null, id: string) {
  const above = user.parent?.resource;
  if (above === target.name) return { path: collectionPath(user, id), search: {} };
  const filter = Object.entries(user.filters).find(
    ([, one]) => targetOfFilter(user, one)?.name === target.name,
  );
  if (filter === undefined || (above !== undefined && above !== target.parent?.resource)) return null;
  return { path: collectionPath(user, above === undefined ? null : parentId), search: { [filter[0]]: id } };
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : [];
}
