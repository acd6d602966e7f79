/** Shows the secret of a record that was just created. No later answer contains it. */
import { ShownOnce } from '../parts/ShownOnce.tsx';
import { useText } from '../text/text.ts';

export function SecretDialog({ secret, close }: { readonly secret: string; readonly close: () => void }) {
  const text = useText();
  return (
    <ShownOnce
      shown={secret}
      title={text('secret.title')}
      hint={text('secret.about')}
      copyLabel={text('secret.copy')}
      doneLabel={text('secret.kept')}
      close={close}
    />
  );
}
