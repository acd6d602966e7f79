/** The navigation in a drawer, for narrow screens. */
import '@mantine/core/styles/Drawer.layer.css';
import { Box, Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../text/text.ts';
import { Logo } from '../ui/icons.tsx';

interface Props {
  readonly close: () => void;
  readonly children: ReactNode;
}

export function NavigationDrawer({ close, children }: Props) {
  const text = useText();
  return (
    <Drawer.Root
      opened
      onClose={close}
      size={280}
      styles={{ content: { background: 'var(--console-sidebar)' } }}
    >
      <Drawer.Overlay />
      <Drawer.Content aria-label={text('shell.menu')}>
        <Drawer.Body p={0} display="flex" h="100dvh" style={{ flexDirection: 'column' }}>
          {/* As high as the bar that it covers, so that the button to close it is where the one to open it was. */}
          <Drawer.Header mih={48} p="0 10px 0 18px" bg="none">
            <Logo size={20} />
            <Drawer.CloseButton aria-label={text('close')} />
          </Drawer.Header>
          <Box flex={1} mih={0}>
            {children}
          </Box>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
