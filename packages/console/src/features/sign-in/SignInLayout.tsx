/** The frame of the pages before the shell: the product's name and one card. */
import { Box, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Logo } from '../../ui/icons.tsx';
import shared from '../../ui/shared.module.css';
import { useTitle } from '../../ui/use-title.ts';
import styles from './SignInLayout.module.css';

interface Props {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly children: ReactNode;
  /** Below the card. */
  readonly footer?: ReactNode;
  readonly wide?: boolean;
}

export function SignInLayout({ title, intro, children, footer, wide = false }: Props) {
  useTitle(title);
  return (
    <main className={styles.page}>
      <Box className={styles.column} data-wide={wide || undefined}>
        <div className={`${shared.group} ${styles.brand}`}>
          <Logo size={28} />
          <span>Trellis</span>
        </div>
        <Paper className={styles.card} radius="lg" withBorder>
          <Stack gap="lg">
            <Stack gap={6}>
              <h1 className={shared.heading}>{title}</h1>
              {intro !== undefined && (
                <Text c="dimmed" size="md">
                  {intro}
                </Text>
              )}
            </Stack>
            {children}
          </Stack>
        </Paper>
        {footer !== undefined && (
          <Box className={shared.about} ta="center">
            {footer}
          </Box>
        )}
      </Box>
    </main>
  );
}
