/** The head of a page in the shell: its title, path and actions. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';
import styles from './PageHead.module.css';
import { useNotePageAbove } from './page-above.ts';
import shared from './shared.module.css';
import { useTitle } from './use-title.ts';

interface Props {
  readonly title: string;
  /** The page above. */
  readonly up?: { readonly label: string; readonly href: string };
  /** Beside the title. */
  readonly aside?: ReactNode;
  /** Buttons and links, which the command palette finds by what they are called. */
  readonly actions?: ReactNode;
  /** Whether the page shows its title below, so that the head needs no room for it. */
  readonly isTitleBelow?: boolean;
}

export function PageHead({ title, up, aside, actions, isTitleBelow = false }: Props) {
  useTitle(title);
  useNotePageAbove(up?.href ?? null);
  return (
    <header className={`${shared.spread} ${styles.head}`} data-title-below={isTitleBelow || undefined}>
      <div className={styles.place}>
        {up !== undefined && (
          <>
            <Link to={up.href} className={styles.up}>
              {up.label}
            </Link>
            <span className={`${shared.icon} ${styles.separator}`}>
              <Icon name="chevronRight" size={14} />
            </span>
          </>
        )}
        <h1 className={`${shared.cut} ${styles.title}`}>{title}</h1>
        {aside}
      </div>
      {actions !== undefined && (
        <div className={styles.actions} data-page-actions>
          {actions}
        </div>
      )}
    </header>
  );
}
