/**
 * Tells the server that the person does something: only that keeps the session. What the page does by itself, such as reading again,
 * following events and sending what waits, does not.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isProblem } from '../api/problem.ts';
import { type Session, signInApi } from '../api/sign-in.ts';
import { sessionKeys } from './session.ts';

/** What people do. Not `pointermove`, which browsers also send when the page moves below a pointer that rests. */
const actions = ['pointerdown', 'click', 'keydown', 'input', 'wheel', 'drop'] as const;

/** Of the idle time: so much earlier than after it the session may end. */
const shareOfIdleTime = 12;

export function useActivity({ idleSeconds }: Session): void {
  const queries = useQueryClient();
  useEffect(() => {
    const everyMs = (idleSeconds / shareOfIdleTime) * 1_000;
    let toldAt = Number.NEGATIVE_INFINITY;
    const tell = async (event: Event) => {
      // Scripts make no trusted events; a key that something lies on repeats.
      const isByPerson = event.isTrusted && !(event instanceof KeyboardEvent && event.repeat);
      const now = performance.now();
      if (!isByPerson || now - toldAt < everyMs) return;
      toldAt = now;
      try {
        await signInApi.noteUse();
      } catch (error) {
        toldAt = Number.NEGATIVE_INFINITY;
        if (isProblem(error, 'session_invalid')) queries.setQueryData(sessionKeys.session, null);
      }
    };
    const over = new AbortController();
    for (const action of actions)
      addEventListener(action, tell, { capture: true, passive: true, signal: over.signal });
    // A page that nobody touches finds out, too, that the session has ended.
    const look = () => void queries.invalidateQueries({ queryKey: sessionKeys.session });
    const timer = setInterval(look, everyMs);
    return () => {
      over.abort();
      clearInterval(timer);
    };
  }, [idleSeconds, queries]);
}
