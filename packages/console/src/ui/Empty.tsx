/** The empty state of a view: why it is empty, and what to do next. */
import type { ReactNode } from 'react';
import styles from './Empty.module.css';
import { Icon, type IconName } from './icons.tsx';

interface Props {
  readonly title: string;
  readonly about?: string;
  readonly icon?: IconName;
  /** Whether the title is that of the page. */
  readonly heading?: boolean;
  readonly children?: ReactNode;
}

export function Empty({ title, about, icon, heading = false, children }: Props) {
  const Title = heading ? 'h1' : 'h2';
  return (
    <div className={styles.empty}>
      {icon !== undefined && (
        <span className={styles.icon}>
          <Icon name={icon} size={20} />
        </span>
      )}
      <Title className={styles.title}>{title}</Title>
      {about !== undefined && <p className={styles.about}>{about}</p>}
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  );
}
