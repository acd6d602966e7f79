/** The button that invites somebody, with its dialogs. */
import type { InvitationWithLink } from '@trellis/client/generated/types.ts';
import { useState } from 'react';
import { Icon } from '../parts/icons.tsx';
import { RefusableButton } from '../parts/Refusable.tsx';
import { resourceByName } from '../records/declared.ts';
import { useRefusal } from '../rights/missing-right.ts';
import { useFeatureText } from '../text/feature.ts';
import { InvitationLinkDialog, InviteDialog } from './InviteDialog.tsx';
import { texts } from './texts.ts';

interface Props {
  /** Whether the dialog is opened at once, for somebody who may invite. */
  readonly opened?: boolean;
  /** Called when the last dialog is closed. */
  readonly closed?: () => void;
}

export function InviteButton({ opened = false, closed }: Props) {
  const own = useFeatureText(texts);
  const refusal = useRefusal()(resourceByName('invitations'), 'create');
  const [isOpen, setIsOpen] = useState(opened && refusal === null);
  const [invitation, setInvitation] = useState<InvitationWithLink | null>(null);
  return (
    <>
      <RefusableButton refusal={refusal} leftSection={<Icon name="plus" />} onClick={() => setIsOpen(true)}>
        {own('invite')}
      </RefusableButton>
      {isOpen && (
        <InviteDialog
          close={() => {
            setIsOpen(false);
            closed?.();
          }}
          invited={(written) => {
            setIsOpen(false);
            setInvitation(written);
          }}
        />
      )}
      {invitation !== null && (
        <InvitationLinkDialog
          invitation={invitation}
          close={() => {
            setInvitation(null);
            closed?.();
          }}
        />
      )}
    </>
  );
}
