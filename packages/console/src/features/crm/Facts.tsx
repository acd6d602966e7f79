/** Facts about a contact or a company, each with its name. */
import type { ReactNode } from 'react';
import { Person } from '../../fields/Person.tsx';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import styles from './ReadingPage.module.css';
import { texts } from './texts.ts';

/** A list of `Fact`. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

interface FactProps {
  readonly name: string;
  /** Null: nothing is shown. */
  readonly children: ReactNode;
}

export function Fact({ name, children }: FactProps) {
  if (children === null) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** Who is responsible. */
export function OwnerFact({ id }: { readonly id: string | null }) {
  const featureText = useFeatureText(texts);
  return <Fact name={featureText('owner')}>{id === null ? featureText('nobody') : <Person id={id} />}</Fact>;
}

/** How far it has come: the values that are not null. */
export function StageFact({ values }: { readonly values: readonly (string | null)[] }) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const stages = values.filter((value) => value !== null);
  return (
    <Fact name={featureText('stage')}>
      {stages.length === 0 ? null : stages.map((stage) => names.value(stage)).join(' · ')}
    </Fact>
  );
}

/** Labels beside each other. */
export function TagsFact({ tags }: { readonly tags: readonly string[] }) {
  const featureText = useFeatureText(texts);
  if (tags.length === 0) return null;
  return (
    <Fact name={featureText('tags')}>
      <span className={styles.tags}>
        {tags.map((tag) => (
          <span key={tag} className={styles.tag}>
            {tag}
          </span>
        ))}
      </span>
    </Fact>
  );
}
