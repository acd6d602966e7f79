/** The records whose references prevent a deletion, with links to them and to the filtered lists for changing all of them. */

import { Link } from '@tanstack/react-router';
import { filtersOf } from '@trellis/schema/resources/filters.ts';
import { targetOfFilter } from '@trellis/schema/resources/places.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { resources, targetOfReference } from '../resources/declared.ts';
import { collectionPath, placeOfRequest, recordPathOf } from '../resources/places.ts';
import type { InUse } from '../resources/presentation.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import styles from './RecordPage.module.css';
import { texts } from './texts.ts';

interface Props {
  readonly inUse: InUse;
  /** Resource of the referenced record. */
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly recordId: string;
}

export function ReferringRecords({ inUse, resource, parentId, recordId }: Props) {
  const names = useNames();
  const featureText = useFeatureText(texts);
  const named = listOf(inUse.members.uses).flatMap(({ id, path, title, published }) => {
    const place = placeOfRequest(String(path));
    return place === null
      ? []
      : [{ ...place, id: String(id), title: String(title), isPublished: published === true }];
  });
  const lists = countedUses(inUse).flatMap(({ user, count }) => {
    const href = count > 1 ? listOfUsers(user, resource, parentId, recordId) : null;
    return href === null ? [] : [{ user, count, ...href }];
  });
  if (named.length === 0) return null;
  return (
    <>
      <ul className={styles.named}>
        {named.map(({ resource: user, parentId: above, id, title, isPublished }) => (
          <li key={id}>
            <Link to={recordPathOf(user, above, id) as string}>
              {title.trim() === '' ? featureText('untitled') : title}
            </Link>{' '}
            ({featureText('usingKind', { kind: names.singular(user), published: String(isPublished) })})
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

/** The number of referring records by resource. */
export function countedUses({ members: { usedBy } }: InUse) {
  return listOf(usedBy).flatMap(({ resource: name, count }) => {
    const user = resources.find((one) => one.name === name);
    return user === undefined ? [] : [{ user, count: Number(count) }];
  });
}

/** The list of a resource's records that refer to a record; null without a suitable filter. */
function listOfUsers(user: Resource, target: Resource, parentId: string | null, id: string) {
  const above = user.parent?.resource;
  if (above === target.name) return { path: collectionPath(user, id), search: {} };
  const filter = Object.entries(filtersOf(user)).find(
    ([, one]) => targetOfReference(targetOfFilter(user, one) ?? undefined)?.name === target.name,
  );
  if (filter === undefined || (above !== undefined && above !== target.parent?.resource)) return null;
  return { path: collectionPath(user, above === undefined ? null : parentId), search: { [filter[0]]: id } };
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : [];
}
