/** The button that invites somebody, with its dialogs. */
import type { InvitationWithLink } from '@trellis/client/generated/types.ts';
import { useState } from 'react';
import { resourceByName } from '../../resources/declared.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useFeatureText } from '../../text/feature.ts';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { Icon } from '../../ui/icons.tsx';
import { InvitationLinkDialog, InviteDialog } from './InviteDialog.tsx';
import { texts } from './texts.ts';

interface Props {
  /** Whether the dialog is opened at once, for somebody who may invite. */
  readonly opened?: boolean;
  /** Called when the last dialog is closed. */
  readonly closed?: () => void;
}

export function InviteButton({ opened = false, closed }: Props) {
  const featureText = useFeatureText(texts);
  const refusal = useRefusal()(resourceByName('invitations'), 'create');
  const [isOpen, setIsOpen] = useState(opened && refusal === null);
  const [invitation, setInvitation] = useState<InvitationWithLink | null>(null);
  return (
    <>
      <GuardedButton refusal={refusal} leftSection={<Icon name="plus" />} onClick={() => setIsOpen(true)}>
        {featureText('invite')}
      </GuardedButton>
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
