/** The empty state of a view: why it is empty, and what to do next. */
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './Empty.module.css';
import { Icon, type IconName } from './icons.tsx';
import shared from './shared.module.css';

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
    <Stack gap={6} align="center" maw={420} mx="auto" px={24} py={72} ta="center">
      {icon !== undefined && (
        <span className={styles.icon}>
          <Icon name={icon} size={20} />
        </span>
      )}
      <Title className={shared.title}>{title}</Title>
      {about !== undefined && <p className={shared.about}>{about}</p>}
      {children !== undefined && (
        <div className={shared.group} style={{ justifyContent: 'center', marginTop: 14 }}>
          {children}
        </div>
      )}
    </Stack>
  );
}
