/** A list on the first page, with its title and what can be opened from it. */
import { Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usePersonName } from '../../fields/Person.tsx';
import { useFeatureText } from '../../text/feature.ts';
import { Moment } from '../../ui/Moment.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import styles from './HomePage.module.css';
import { texts } from './texts.ts';
import type { Waiting } from './work.ts';

interface SectionProps {
  readonly title: string;
  /** Beside the title. */
  readonly aside?: ReactNode;
  readonly error?: unknown;
  readonly children: ReactNode;
}

export function HomeSection({ title, aside, error, children }: SectionProps) {
  return (
    <section className={shared.stack} aria-label={title}>
      <div className={shared.spread} style={{ alignItems: 'baseline', flexWrap: 'nowrap' }}>
        <h3 className={shared.subtitle}>{title}</h3>
        {aside}
      </div>
      <FailureNotice error={error} />
      {children}
    </section>
  );
}

interface ListProps {
  /** Undefined while it is read. */
  readonly items: readonly Waiting[] | undefined;
  /** What is said about none. */
  readonly none: string;
  /** What the person of an entry did. */
  readonly done?: Done;
}

type Done = 'by' | 'sentBackBy' | 'publishedBy';

export function WaitingList({ items, none, done = 'by' }: ListProps) {
  if (items === undefined) return <Box h={48} aria-busy="true" />;
  if (items.length === 0) return <p className={shared.none}>{none}</p>;
  return (
    <ul className={shared.rows}>
      {items.map((item) => (
        <WaitingEntry key={item.id} item={item} done={done} />
      ))}
    </ul>
  );
}

function WaitingEntry({ item, done }: { readonly item: Waiting; readonly done: Done }) {
  const featureText = useFeatureText(texts);
  const name = usePersonName(item.userId);
  return (
    <li className={styles.entry}>
      <Link to={item.href} className={`${shared.name} ${shared.cut} ${shared.cover} ${styles.link}`}>
        {item.title}
      </Link>
      <span className={shared.small}>
        {(item.userId !== null || done !== 'by') && <>{featureText(done, { name })} · </>}
        <Moment value={item.instant} />
      </span>
      {item.reason !== undefined && (
        <span className={shared.label}>{featureText('quoted', { text: item.reason })}</span>
      )}
    </li>
  );
}
