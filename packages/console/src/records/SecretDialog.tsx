/** Shows the secret of a record that was just created. No later response contains it. */

import { useText } from '../text/text.ts';
import { ShownOnce } from '../ui/ShownOnce.tsx';

/** A secret that was just made. */
export interface NewSecret {
  /** The name of what it belongs to, for example of a token. */
  readonly of: string;
  readonly value: string;
}

export function SecretDialog({ secret, close }: { readonly secret: NewSecret; readonly close: () => void }) {
  const text = useText();
  return (
    <ShownOnce
      shown={secret.value}
      title={text('secret.title', { name: secret.of })}
      hint={text('secret.about')}
      copyLabel={text('secret.copy')}
      doneLabel={text('secret.kept')}
      close={close}
    />
  );
}
