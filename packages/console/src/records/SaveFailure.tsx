/** Why a save was refused, with the means to resolve it: a link to the conflicting record, the conflict dialog, or the faulty fields. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { valueAtPointer } from '@trellis/schema/values/paths.ts';
import type { ReactNode } from 'react';
import { isProblem } from '../api/problem.ts';
import { RecordLink, resourceOfId } from '../fields/RecordLink.tsx';
import type { Change } from '../outbox/store/change.ts';
import type { Values } from '../outbox/store/fields.ts';
import { isConflict } from '../outbox/store/refusal.ts';
import { ChangeConflict } from '../pending/ChangeConflict.tsx';
import { problemOf } from '../pending/problem.ts';
import { useShowsRefusal } from '../pending/shown-refusals.ts';
import { texts } from '../pending/texts.ts';
import { recordPathOf } from '../resources/places.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { Notice } from '../ui/Notice.tsx';
import { describeError, faultsOf } from '../ui/problem-text.ts';
import styles from './RecordPage.module.css';

interface Props {
  readonly change: Change;
  readonly resource: Resource;
  readonly parentId: string | null;
  /** The record with the refused values, in which the faults are located. */
  readonly values: Values;
  /** Whether the conflict dialog is open. */
  readonly isDeciding: boolean;
  readonly setIsDeciding: (isDeciding: boolean) => void;
  /** The faults of several fields. */
  readonly children?: ReactNode;
}

export function SaveFailure(props: Props) {
  const { change, resource, parentId, values, isDeciding, setIsDeciding, children } = props;
  const text = useText();
  const names = useNames();
  const featureText = useFeatureText(texts);
  const error = problemOf(change);
  const isOfFields: boolean = isProblem(error, 'validation_failed', 'unknown_field', 'reference_not_found');
  useShowsRefusal(isOfFields ? change : null);
  if (error === null) return null;
  if (isConflict(change)) {
    return (
      <Notice kind="failure">
        {featureText('conflict')}
        <div>
          <Button variant="default" size="xs" mt="xs" onClick={() => setIsDeciding(true)}>
            {featureText('review')}
          </Button>
        </div>
        {isDeciding && <ChangeConflict change={change} close={() => setIsDeciding(false)} />}
      </Notice>
    );
  }
  if (isOfFields) {
    const unplaced = faultsOf(error, names).filter(({ pointer }) => pointer === undefined || pointer === '');
    return (
      <Notice kind="failure" title={text('record.invalid')}>
        {children ?? unplaced.map(({ detail }) => detail).join(' ')}
      </Notice>
    );
  }
  const { existingId } = error.members;
  const named = faultsOf(error, names).flatMap(({ pointer = '', detail }) => {
    const id = valueAtPointer(values, pointer);
    const named = resourceOfId(id);
    return named === null ? [] : [{ pointer, detail, resource: named, id: String(id) }];
  });
  return (
    <Notice kind="failure">
      {describeError(error, text, names)}{' '}
      {error.code === 'conflict' && typeof existingId === 'string' && (
        <Link to={recordPathOf(resource, parentId, existingId)}>{text('record.openExisting')}</Link>
      )}
      {named.length > 0 && (
        <ul className={styles.named}>
          {named.map(({ pointer, detail, ...record }) => (
            <li key={pointer}>
              <RecordLink {...record} /> – {detail}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
