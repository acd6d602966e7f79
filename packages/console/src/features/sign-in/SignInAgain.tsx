/**
 * Signing in again after the session has ended. It covers the page whole, so that nobody else reads it, and leaves it as it is: what was
 * typed is there when the same person continues.
 */
import { FocusTrap, Portal } from '@mantine/core';
import { useState } from 'react';
import type { SignInResult } from '../../api/sign-in.ts';
import { useResumeSession } from '../../session/session.ts';
import { useText } from '../../text/text.ts';
import { SecondFactorPage } from './SecondFactorPage.tsx';
import styles from './SignInAgain.module.css';
import { FirstFactorPage } from './SignInPage.tsx';

export function SignInAgain({ email }: { readonly email: string }) {
  const text = useText();
  const resume = useResumeSession();
  const [challenge, setChallenge] = useState<string | null>(null);
  const proceed = async (result: SignInResult) => {
    if (result.status === 'SECOND_FACTOR_REQUIRED') return setChallenge(result.challenge);
    await resume();
  };
  return (
    <Portal>
      <FocusTrap active>
        <div role="dialog" aria-modal="true" aria-label={text('signInAgain.title')} className={styles.cover}>
          {challenge === null ? (
            <FirstFactorPage
              proceed={proceed}
              returnTo={`${location.pathname.replace(/^\/console/, '')}${location.search}`}
              title={text('signInAgain.title')}
              intro={text('signInAgain.intro')}
              knownEmail={email}
            />
          ) : (
            <SecondFactorPage challenge={challenge} proceed={proceed} cancel={() => setChallenge(null)} />
          )}
        </div>
      </FocusTrap>
    </Portal>
  );
}
