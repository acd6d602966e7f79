/** The frame of a page that shows a contact or a company: the name, what can be done, and what happened to it. */
import { useNavigate } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { ReactNode } from 'react';
import type { ApiRecord } from '../api/api.ts';
import { LastChange } from '../live/LastChange.tsx';
import { useLiveRecord } from '../live/use-live-record.ts';
import { PageHead } from '../parts/PageHead.tsx';
import { RefusableButton } from '../parts/Refusable.tsx';
import { collectionPath } from '../records/places.ts';
import { RecordActions } from '../records/RecordActions.tsx';
import { RecordSide } from '../records/RecordSide.tsx';
import { useRefusal } from '../rights/missing-right.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import styles from './ReadingPage.module.css';
import { texts } from './texts.ts';

interface Props {
  readonly resource: Resource;
  readonly record: ApiRecord;
  readonly name: string;
  /** In a few words; '' for nothing. */
  readonly about: string;
  readonly children: ReactNode;
}

export function ReadingPage({ resource, record, name, about, children }: Props) {
  const own = useFeatureText(texts);
  const names = useNames();
  const navigate = useNavigate();
  const refusal = useRefusal()(resource, 'update');
  const last = useLiveRecord(resource, null, record.id);
  return (
    <>
      <PageHead
        title={name}
        up={{ label: names.plural(resource), href: collectionPath(resource, null) }}
        aside={last !== null && <LastChange key={last.at} change={last} />}
        actions={
          <>
            <RecordActions resource={resource} parentId={null} record={record} />
            <RefusableButton
              refusal={refusal}
              onClick={() => void navigate({ to: '.', search: { edit: 'yes' } })}
            >
              {own('edit')}
            </RefusableButton>
          </>
        }
      />
      <div className={styles.page}>
        <div className={styles.main}>
          <header>
            <h2 className={styles.name}>{name}</h2>
            {about !== '' && <p className={styles.quiet}>{about}</p>}
          </header>
          {children}
        </div>
        <RecordSide resource={resource} record={record} />
      </div>
    </>
  );
}

/** A part of the page with a title. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className={styles.title}>{title}</h3>
      {children}
    </section>
  );
}

/** A longer text with its line ends; nothing without one. */
export function LongText({ title, text }: { readonly title: string; readonly text: string | null }) {
  if (text === null) return null;
  return (
    <Section title={title}>
      <p className={styles.notes}>{text}</p>
    </Section>
  );
}
