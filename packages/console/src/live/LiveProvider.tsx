/** Follows changes by others, for all pages, if the user may read events. */
import { useQueryClient } from '@tanstack/react-query';
import { checkRight } from '@trellis/schema/rights/check-right.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { refreshQueries } from '../resources/refresh-queries.ts';
import { noticeSessionEnd, useSession } from '../session/session.ts';
import { useWorkspace } from '../session/workspace.ts';
import { whenIdle } from '../ui/when-idle.ts';
import { type LiveChanges, LiveContext, type LiveHandler } from './live.ts';
import type { LiveChange } from './live-feed.ts';

class Subscribers implements LiveChanges {
  private readonly handlers = new Set<LiveHandler>();
  /** Begins to follow, unless that has begun. */
  begin: () => void = () => undefined;

  subscribe(handler: LiveHandler): () => void {
    this.handlers.add(handler);
    this.begin();
    return () => this.handlers.delete(handler);
  }

  hasAny(): boolean {
    return this.handlers.size > 0;
  }

  async notify(changes: readonly LiveChange[]): Promise<void> {
    await Promise.all([...this.handlers].map((handler) => handler(changes)));
  }
}

const readEvents = {
  scopes: ['events:read'],
  module: null,
  permission: { resource: 'events', action: 'read' },
} as const;

export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const { api, organization, signedIn, rights } = useWorkspace();
  const queries = useQueryClient();
  const [subscribers] = useState(() => new Subscribers());
  const owner = `${organization.id} ${signedIn.user.id}`;
  const mayRead = typeof checkRight(rights, readEvents) === 'string';
  // Nothing is requested while the user has to sign in again. Missed changes are read afterwards.
  const hasSession = useSession().data != null;
  useEffect(() => {
    if (!mayRead || !hasSession) return;
    let stop: (() => void) | null = null;
    let isOver = false;
    let cancel: (() => void) | null = null;
    const start = async () => {
      const { followEvents } = await import('./service.ts');
      if (isOver) return;
      stop = followEvents({
        api,
        owner,
        refetch: (changes) => subscribers.notify(changes),
        onMissed: () => void refreshQueries(queries, ['v1']),
        onRefused: (error) => noticeSessionEnd(queries, error),
      });
    };
    subscribers.begin = () => {
      cancel ??= whenIdle(() => {
        start().catch(() => {
          cancel = null;
        });
      });
    };
    // Parts of the page subscribe before it.
    if (subscribers.hasAny()) subscribers.begin();
    return () => {
      isOver = true;
      subscribers.begin = () => undefined;
      cancel?.();
      stop?.();
    };
  }, [api, owner, mayRead, hasSession, queries, subscribers]);
  return <LiveContext value={subscribers}>{children}</LiveContext>;
}
