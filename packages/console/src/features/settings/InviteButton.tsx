/** The button that invites somebody, and then shows the link. Where the server sends mail, the link is on its way, too. */
import { useState } from 'react';
import { useShowSecret } from '../../records/SecretDialog.tsx';
import { resourceByName } from '../../resources/declared.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useFeatureText } from '../../text/feature.ts';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { Icon } from '../../ui/icons.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { texts } from './texts.ts';

interface Props {
  /** Whether the dialog is opened at once, for somebody who may invite. */
  readonly opened?: boolean;
  /** Called when the last dialog is closed. */
  readonly closed?: () => void;
}

export function InviteButton({ opened = false, closed }: Props) {
  const featureText = useFeatureText(texts);
  const resource = resourceByName('invitations');
  const refusal = useRefusal()(resource, 'create');
  const showLink = useShowSecret();
  const [isOpen, setIsOpen] = useState(opened && refusal === null);
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
            showLink(resource, written, closed);
          }}
        />
      )}
    </>
  );
}
