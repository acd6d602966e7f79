/** Keeps bulk changes going on every page, and shows how far they are. */
import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useCallback, useMemo } from 'react';
import { useWorkspace } from '../app/workspace.ts';
import type { BulkProgress } from '../changes/bulk.ts';
import { LazyService, useLazyService } from '../parts/lazy-service.ts';
import { NotStored } from '../waiting/changes.ts';
import { BulkContext, type Bulks, useBulkProgress } from './bulk.ts';
import type { BulkService } from './service.ts';

const BulkPanel = lazy(() => import('./BulkPanel.tsx').then((module) => ({ default: module.BulkPanel })));

type LazyBulks = LazyService<BulkService, readonly BulkProgress[]>;

const none: readonly BulkProgress[] = [];

/** Whether bulk changes are stored, without loading what works on them. */
async function hasBulks(owner: string): Promise<boolean> {
  const { openDatabase, read, stores } = await import('../changes/indexed-db.ts');
  const database = await openDatabase(indexedDB);
  try {
    return (await read(database, stores.bulks, (store) => store.index('owner').count(owner))) > 0;
  } finally {
    database.close();
  }
}

export function BulkProvider({ children }: { readonly children: ReactNode }) {
  const { api, organization, signedIn } = useWorkspace();
  const queries = useQueryClient();
  const owner = `${organization.id} ${signedIn.user.id}`;
  const make = useCallback(
    (): LazyBulks =>
      new LazyService(async (onState) => {
        const module = await import('./service.ts');
        return await module.BulkService.open({ api, owner, queries, onState });
      }, none),
    [api, owner, queries],
  );
  const resumeStored = useCallback(
    async (bulks: LazyBulks) => {
      // Those of an earlier page go on.
      if (await hasBulks(owner)) await bulks.get();
    },
    [owner],
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
