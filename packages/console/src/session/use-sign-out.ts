/** Signing out. */
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { signInApi } from '../api/sign-in.ts';
import { useRenewSession } from './session.ts';

/** Signs out, and discards all cached data. */
export function useSignOut() {
  const renewSession = useRenewSession();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async () => {
      await signInApi.signOut();
      // First, so that the page being left does not ask for a sign-in that leads back to it.
      await navigate({ to: '/sign-in' });
      await renewSession();
    },
  });
}
