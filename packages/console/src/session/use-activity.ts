/**
 * Reports user activity to the server: only that keeps the session alive. Automatic requests of the page, such as refetching,
 * following events and sending pending changes, do not.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isProblem } from '../api/problem.ts';
import { type Session, signInApi } from '../api/sign-in.ts';
import { sessionKeys } from './session.ts';

/** Events of user activity. Not `pointermove`, which browsers also send when the page moves below a resting pointer. */
const actions = ['pointerdown', 'click', 'keydown', 'input', 'wheel', 'drop'] as const;

/** Activity is reported up to this often per idle time; a session may end early by one such interval. */
const shareOfIdleTime = 12;

export function useActivity({ idleSeconds }: Session): void {
  const queries = useQueryClient();
  useEffect(() => {
    const everyMs = (idleSeconds / shareOfIdleTime) * 1_000;
    let notedAt = Number.NEGATIVE_INFINITY;
    const noteActivity = async (event: Event) => {
      // Scripts make no trusted events; a key that something lies on repeats.
      const isByPerson = event.isTrusted && !(event instanceof KeyboardEvent && event.repeat);
      const now = performance.now();
      if (!isByPerson || now - notedAt < everyMs) return;
      notedAt = now;
      try {
        await signInApi.noteUse();
      } catch (error) {
        notedAt = Number.NEGATIVE_INFINITY;
        if (isProblem(error, 'session_invalid')) queries.setQueryData(sessionKeys.session, null);
      }
    };
    const over = new AbortController();
    for (const action of actions)
      addEventListener(action, noteActivity, { capture: true, passive: true, signal: over.signal });
    // An idle page also has to notice that the session has ended.
    const refreshSession = () => void queries.invalidateQueries({ queryKey: sessionKeys.session });
    const timer = setInterval(refreshSession, everyMs);
    return () => {
      over.abort();
      clearInterval(timer);
    };
  }, [idleSeconds, queries]);
}
