/** Links above a form from each fault to its input. A refused save focuses the first link. */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useEffect, useRef } from 'react';
import type { Fault } from '../api/problem.ts';
import { describePointer } from '../pending/refusal-reasons.ts';
import { texts } from '../pending/texts.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { findInput } from '../ui/find-input.ts';
import styles from './RecordPage.module.css';

interface Props {
  readonly resource: Resource;
  readonly faults: readonly Fault[];
  /** The number of refused saves; 0 for faults that existed before. */
  readonly attempt: number;
}

export function FaultLinks({ resource, faults, attempt }: Props) {
  const names = useNames();
  const featureText = useFeatureText(texts);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (attempt > 0) list.current?.querySelector('a')?.focus();
  }, [attempt]);
  const item = (number: number) => featureText('item', { number });
  return (
    <ul ref={list} className={styles.named}>
      {faults.map(({ pointer = '', detail }) => (
        <li key={`${pointer} ${detail}`}>
          {pointer === '' ? (
            detail
          ) : (
            <>
              <a
                href={`#${pointer}`}
                onClick={(event) => {
                  event.preventDefault();
                  const form = event.currentTarget.closest('form');
                  if (form !== null) findInput(form, pointer)?.focus();
                }}
              >
                {describePointer(pointer, resource, { names, item })}
              </a>
              : {detail}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
