/** The button beside what could not be read: tries again, or asks first for the sign-in that is missing. */
import { Button } from '@mantine/core';
import { needsProof, useProof } from '../api/proof.ts';
import { useText } from '../text/text.ts';

interface Props {
  readonly error: unknown;
  readonly retry: () => void;
  readonly size?: 'xs';
}

export function RetryButton({ error, retry, ...rest }: Props) {
  const text = useText();
  if (needsProof(error)) return <ProofButton {...rest} />;
  return (
    <Button variant="default" {...rest} onClick={retry}>
      {text('retry')}
    </Button>
  );
}

/** Opens the re-authentication dialog; null when nobody is signed in. */
export function ProofButton(rest: Pick<Props, 'size'>) {
  const text = useText();
  const prove = useProof();
  if (prove === null) return null;
  return (
    <Button variant="default" {...rest} onClick={prove}>
      {text('stepUp.title')}
    </Button>
  );
}
