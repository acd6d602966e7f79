/** A numbered step of the import. */
import { type ReactNode, useId } from 'react';
import shared from '../../ui/shared.module.css';
import styles from './Import.module.css';

interface Props {
  readonly number?: number;
  readonly title: string;
  readonly children: ReactNode;
}

export function Step({ number, title, children }: Props) {
  const id = useId();
  return (
    <section className={shared.section} aria-labelledby={id}>
      <h2 className={`${shared.title} ${shared.group}`}>
        {number !== undefined && (
          <span className={styles.number} aria-hidden="true">
            {number}
          </span>
        )}
        <span id={id}>{title}</span>
      </h2>
      {children}
    </section>
  );
}
