/** Starts the queue of changes after the sign-in, and updates the pages' data with its results. */
import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { type Changes, ChangesContext, NotStored, type PendingChanges } from '../outbox/edit/use-changes.ts';
import type { ChangeQueue } from '../outbox/send/queue.ts';
import { noticeSessionEnd } from '../session/session.ts';
import { useWorkspace } from '../session/workspace.ts';
import type { Vault } from '../storage/vault.ts';
import { LazyService, useLazyService } from '../ui/lazy-service.ts';
import { countUnfinished, isFinished, type Unfinished } from './unfinished.ts';

const SignOutDialog = lazy(() =>
  import('./SignOutDialog.tsx').then((module) => ({ default: module.SignOutDialog })),
);

/** The unfinished work to confirm before leaving. */
interface Leaving {
  readonly unfinished: Unfinished;
  readonly leave: () => void;
}

type LazyChanges = LazyService<ChangeQueue, PendingChanges>;

/** Nothing is known yet. */
const initial: PendingChanges = { changes: [], obstacle: null, isPersistent: true };
const start = (changes: LazyChanges) => changes.get();

export function ChangesProvider({ children }: { readonly children: ReactNode }) {
  const { api, vault, signedIn } = useWorkspace();
  const queries = useQueryClient();
  const session = signedIn.session.id;
  const [leaving, setLeaving] = useState<Leaving | null>(null);
  const make = useCallback(
    (): LazyChanges =>
      new LazyService(async (show) => {
        const { startChanges } = await import('./service.ts');
        return await startChanges({
          api,
          vault,
          session,
          queries,
          onState: ({ changes, obstacle }, isPersistent) => {
            show({ changes, obstacle, isPersistent });
            noticeSessionEnd(queries, obstacle);
          },
        });
      }, initial),
    [api, vault, session, queries],
  );
  const service = useLazyService(make, start);
  useGuardOfMemory(service);
  const changes = useMemo((): Changes => toChanges(service, vault, setLeaving), [service, vault]);
  return (
    <ChangesContext value={changes}>
      {children}
      {leaving !== null && (
        <Suspense>
          <SignOutDialog close={() => setLeaving(null)} {...leaving} />
        </Suspense>
      )}
    </ChangesContext>
  );
}

/** Asks for confirmation before closing a tab with pending changes that are stored nowhere else. */
function useGuardOfMemory({ state }: LazyChanges): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      const { changes, isPersistent } = state();
      if (!isPersistent && changes.length > 0) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [state]);
}

/** @param ask asks before it does what ends the work here */
function toChanges(service: LazyChanges, vault: Vault, ask: (leaving: Leaving) => void): Changes {
  const { state, subscribe } = service;
  return {
    submit: (added) => store(async () => (await service.get()).submit(added)),
    retry: (id, amended = null) => store(async () => (await service.get()).retry(id, amended)),
    replace: (...replaced) => store(async () => (await service.get()).replace(...replaced)),
    merge: (...merge) => store(async () => (await service.get()).merge(...merge)),
    dismiss: async (id) => (await service.get()).dismiss(id),
    list: async (record) => (await service.get()).list(record),
    resume: () =>
      void service.get().then(
        (started) => started.resume(),
        () => undefined,
      ),
    state,
    subscribe,
    leave: (leave) =>
      void countUnfinished(vault, state().changes.length).then((unfinished) =>
        isFinished(unfinished) ? leave() : ask({ unfinished, leave }),
      ),
  };
}

/** @throws NotStored for whatever keeps it from being stored */
async function store<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    throw new NotStored(cause);
  }
}
