/** Runs bulk changes on every page, and shows their progress. */
import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useCallback, useMemo } from 'react';
import type { BulkProgress } from '../../outbox/bulk/bulk.ts';
import { BulkContext, type Bulks, useBulkProgress } from '../../outbox/bulk/use-bulks.ts';
import { NotStored } from '../../outbox/edit/use-changes.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { LazyService, useLazyService } from '../../ui/lazy-service.ts';
import type { BulkService } from './service.ts';

const BulkPanel = lazy(() => import('./BulkPanel.tsx').then((module) => ({ default: module.BulkPanel })));

type LazyBulks = LazyService<BulkService, readonly BulkProgress[]>;

const none: readonly BulkProgress[] = [];

export function BulkProvider({ children }: { readonly children: ReactNode }) {
  const { api, vault, signedIn, me } = useWorkspace();
  const hasTrash = me.trashSeconds > 0;
  const queries = useQueryClient();
  const session = signedIn.session.id;
  const make = useCallback(
    (): LazyBulks =>
      new LazyService(async (onState) => {
        const module = await import('./service.ts');
        return await module.BulkService.open({ api, vault, session, queries, hasTrash, onState });
      }, none),
    [api, vault, session, queries, hasTrash],
  );
  const resumeStored = useCallback(
    async (bulks: LazyBulks) => {
      // Bulk changes of an earlier page continue.
      if ((await vault.count(['bulk'])) > 0) await bulks.get();
    },
    [vault],
  );
  const service = useLazyService(make, resumeStored);
  const bulks = useMemo(() => toBulks(service), [service]);
  return (
    <BulkContext value={bulks}>
      {children}
      <Progress />
    </BulkContext>
  );
}

function toBulks(service: LazyBulks): Bulks {
  return {
    start: async (...given) => {
      try {
        await (await service.get()).start(...given);
      } catch (cause) {
        throw new NotStored(cause);
      }
    },
    pause: async (id) => (await service.get()).pause(id),
    resume: async (id) => (await service.get()).resume(id),
    retry: async (id) => (await service.get()).retry(id),
    undo: async (...given) => (await service.get()).undo(...given),
    forgetRestorations: async (recordIds) => {
      if (service.state().length > 0) await (await service.get()).forgetRestorations(recordIds);
    },
    remove: async (id) => (await service.get()).remove(id),
    failures: async (id) => (await service.get()).failures(id),
    state: service.state,
    subscribe: service.subscribe,
  };
}

function Progress() {
  const bulks = useBulkProgress();
  return <Suspense>{bulks.length > 0 && <BulkPanel />}</Suspense>;
}
