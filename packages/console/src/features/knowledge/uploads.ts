/** The uploads of this tab: a few at a time, each of which can be stopped or retried. */

import { useQueryClient } from '@tanstack/react-query';
import type { KnowledgeFileCreate } from '@trellis/client/generated/types.ts';
import { makeIdempotencyKey } from '@trellis/client/keys.ts';
import { uploadKnowledgeFile } from '@trellis/client/upload.ts';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Api } from '../../api/api.ts';
import { workSignal } from '../../api/expected-user.ts';
import { isOld } from '../../outbox/store/refusal.ts';
import { refreshQueries } from '../../resources/refresh-queries.ts';
import { useWorkspace } from '../../session/workspace.ts';
import type { Vault } from '../../storage/vault.ts';
import { listUploads, removeUpload, type StoredUpload, storeUploads } from './upload-store.ts';

export type Visibility = NonNullable<KnowledgeFileCreate['visibility']>;

export interface Upload extends StoredUpload {
  readonly state: 'waiting' | 'sending' | 'done' | 'failed';
  /** Id of the record; null until it is done. */
  readonly recordId: string | null;
  readonly error: unknown;
}

/** An upload was begun so long ago that the person has to ask for it again. */
export class UploadNotConfirmed extends Error {
  constructor() {
    super('the upload was begun more than 23 hours ago');
    this.name = 'UploadNotConfirmed';
  }
}

/** Uploads that are sent at the same time. */
const atOnce = 3;

export class Uploads {
  private readonly api: Api;
  private readonly vault: Vault;
  private readonly finished: () => void;
  private readonly listeners = new Set<() => void>();
  private readonly stops = new Map<string, AbortController>();
  private all: readonly Upload[] = [];

  /** @param finished is called when a file was stored */
  constructor(api: Api, vault: Vault, finished: () => void) {
    this.api = api;
    this.vault = vault;
    this.finished = finished;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly list = (): readonly Upload[] => this.all;

  /** Resumes uploads that were unfinished when the page was left. Only the tab with the owner's lock does so. */
  resume(signal: AbortSignal): void {
    const work = async () => {
      const stored = await listUploads(this.vault);
      const known = new Set(this.all.map(({ key }) => key));
      this.append(stored.filter(({ key }) => !known.has(key)));
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    };
    navigator.locks.request(`trellis.uploads.${this.vault.owner}`, { signal }, work).catch(() => undefined);
  }

  /** Takes files: they are kept in the browser before the first byte is sent. @throws DOMException when it cannot keep them; none is taken */
  async add(files: readonly File[], visibility: Visibility): Promise<void> {
    const askedAt = Date.now();
    const uploads = files.map((file) => ({ key: makeIdempotencyKey(), askedAt, file, visibility }));
    await storeUploads(this.vault, uploads);
    this.append(uploads);
  }

  retry(key: string): void {
    this.set(key, { state: 'waiting', error: null });
    this.start();
  }

  /** Stops an upload, and forgets it. */
  async remove(key: string): Promise<void> {
    this.stops.get(key)?.abort();
    this.all = this.all.filter((upload) => upload.key !== key);
    this.notify();
    await removeUpload(this.vault, key);
    this.start();
  }

  private append(uploads: readonly StoredUpload[]): void {
    const now = Date.now();
    // What was chosen long ago may have been put back by somebody, so that the person has to ask for it again.
    const added = uploads.map((upload) => {
      const isConfirmed = !isOld(upload.askedAt, now);
      const error = isConfirmed ? null : new UploadNotConfirmed();
      return { ...upload, state: isConfirmed ? 'waiting' : 'failed', recordId: null, error } as const;
    });
    this.all = [...this.all, ...added];
    this.notify();
    this.start();
  }

  private start(): void {
    const sending = this.all.filter(({ state }) => state === 'sending').length;
    for (const upload of this.all.filter(({ state }) => state === 'waiting').slice(0, atOnce - sending))
      void this.send(upload);
  }

  private async send({ key, file, visibility }: Upload): Promise<void> {
    const stop = new AbortController();
    this.stops.set(key, stop);
    this.set(key, { state: 'sending' });
    try {
      const record = { name: file.name, visibility: visibility as Visibility };
      const { body } = await this.api.use((client) =>
        uploadKnowledgeFile(client, { record, content: file, idempotencyKey: key, signal: stop.signal }),
      );
      await removeUpload(this.vault, key);
      this.set(key, { state: 'done', recordId: body.id });
      this.finished();
    } catch (error) {
      this.set(key, { state: 'failed', error });
    }
    this.stops.delete(key);
    this.start();
  }

  private set(key: string, change: Partial<Upload>): void {
    this.all = this.all.map((upload) => (upload.key === key ? { ...upload, ...change } : upload));
    this.notify();
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

/** The uploads of each owner, which continue while other pages are shown, until somebody else signs in. */
const known = new Map<string, Uploads>();

/** The uploads of the person in the organization. */
export function useUploads(): readonly [Uploads, readonly Upload[]] {
  const { api, vault } = useWorkspace();
  const queries = useQueryClient();
  const uploads = useMemo(() => {
    const present =
      known.get(vault.owner) ??
      new Uploads(api, vault, () => void refreshQueries(queries, ['v1', 'knowledge-files']));
    known.set(vault.owner, present);
    workSignal().addEventListener('abort', () => known.delete(vault.owner));
    return present;
  }, [api, vault, queries]);
  useEffect(() => {
    const stop = new AbortController();
    uploads.resume(stop.signal);
    return () => stop.abort();
  }, [uploads]);
  return [uploads, useSyncExternalStore(uploads.subscribe, uploads.list)];
}
