/** Displays the secret of a new record. No later response contains it. */

import { useFeatureText } from '../text/feature.ts';
import { ShownOnce } from '../ui/ShownOnce.tsx';
import { texts } from './texts.ts';

/** A newly created secret. */
export interface NewSecret {
  /** Name of the owner of the secret, such as a token. */
  readonly of: string;
  readonly value: string;
}

export function SecretDialog({ secret, close }: { readonly secret: NewSecret; readonly close: () => void }) {
  const recordText = useFeatureText(texts);
  return (
    <ShownOnce
      shown={secret.value}
      title={recordText('secretOf', { name: secret.of })}
      hint={recordText('secretAbout')}
      copyLabel={recordText('copy')}
      doneLabel={recordText('kept')}
      close={close}
    />
  );
}
