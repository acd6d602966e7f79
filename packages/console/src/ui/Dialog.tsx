/** A dialog that exists as long as it is open. When it has gone, what opened it has the focus again. */
import { Modal, type ModalProps } from '@mantine/core';
import { useText } from '../text/text.ts';
import { useReturnFocus } from './use-return-focus.ts';

export function Dialog(props: Omit<ModalProps, 'opened'>) {
  const text = useText();
  useReturnFocus();
  return <Modal opened closeButtonProps={{ 'aria-label': text('close') }} {...props} />;
}
