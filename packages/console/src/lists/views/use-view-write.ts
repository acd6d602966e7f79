/** Writes of saved views, through the queue of changes: they are kept in the browser until the server has responded. */
import { useMutation } from '@tanstack/react-query';
import { etagOf } from '@trellis/client/response.ts';
import type { NewChange } from '../../outbox/store/change.ts';
import { useSubmitAndWait } from '../../pending/use-submit-and-wait.ts';
import { collectionPath, recordPathOf } from '../../resources/places.ts';
import { type SavedView, savedViews } from './saved-view.ts';

/** The name, visibility and query of a view. */
type ViewBody = Partial<Pick<SavedView, 'name' | 'resource' | 'query' | 'columns' | 'shared'>>;

interface Write {
  /** Null for a new one. */
  readonly view: SavedView | null;
  readonly body: ViewBody;
}

/**
 * Creates or changes a view. As long as the component is shown, a refusal is reported here and not kept: the unsaved values are still on
 * the page.
 * @param saved called when the view is stored, also when the component is gone by then
 */
export function useViewWrite(saved: (view: SavedView) => void = () => undefined) {
  const change = useSubmitAndWait();
  return useMutation({
    mutationFn: async ({ view, body }: Write): Promise<SavedView | null> => {
      const result = await change(view === null ? creationOf(body) : changeOf(view, body));
      return result.kind === 'done' ? (result.record as SavedView | null) : null;
    },
    onSuccess: (view) => {
      if (view !== null) saved(view);
    },
  });
}

function creationOf(body: ViewBody): NewChange {
  return {
    record: `new ${crypto.randomUUID()}`,
    label: body.name ?? '',
    request: { method: 'POST', path: `/v1${collectionPath(savedViews, null)}`, body, ifMatch: null },
  };
}

function changeOf(view: SavedView, body: ViewBody): NewChange {
  const names = Object.keys(body) as (keyof ViewBody)[];
  return {
    record: view.id,
    label: view.name,
    request: {
      method: 'PATCH',
      path: `/v1${recordPathOf(savedViews, null, view.id)}`,
      body,
      ifMatch: etagOf(view.version),
    },
    base: Object.fromEntries(names.map((name) => [name, view[name]])),
  };
}
