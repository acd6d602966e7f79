/** Confirms a deletion with a toast that offers to restore the record from the trash. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { requestOf } from '@trellis/client/api-client.ts';
import { makeIdempotencyKey } from '@trellis/client/keys.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { isProblem } from '../api/problem.ts';
import { StepUpCancelled, useStepUp } from '../api/proof.ts';
import { recordPathOf } from '../resources/places.ts';
import { refreshQueries } from '../resources/refresh-queries.ts';
import { useGoesToTrash } from '../resources/use-goes-to-trash.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { describeError } from '../ui/problem-text.ts';
import { showToast } from '../ui/toasts/toasts.ts';
import { texts } from './texts.ts';

/** A deleted record. */
interface Deleted {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly id: string;
  readonly title: string;
}

/** Returns a function that shows the toast; without a trash it has no button. */
export function useDeletedToast(): (deleted: Deleted) => void {
  const { api } = useWorkspace();
  const goesToTrash = useGoesToTrash();
  const withStepUp = useStepUp();
  const queries = useQueryClient();
  const router = useRouter();
  const featureText = useFeatureText(texts);
  const text = useText();
  const names = useNames();

  const restore = async (deleted: Deleted, idempotencyKey: string): Promise<void> => {
    const { resource, parentId, id, title } = deleted;
    try {
      const request = requestOf('restoreFromTrash', { path: { id } });
      await withStepUp(() => api.write({ ...request, idempotencyKey }));
      await refreshQueries(queries, ['v1']);
      const open = () => void router.navigate({ to: recordPathOf(resource, parentId, id) });
      showToast({
        kind: 'done',
        message: featureText('restored', { name: title }),
        action: { label: featureText('open'), run: open },
      });
    } catch (error) {
      if (error instanceof StepUpCancelled) return;
      const isGone = isProblem(error, 'not_found');
      showToast({
        kind: 'failure',
        message: isGone ? featureText('goneForGood', { name: title }) : describeError(error, text, names),
        ...(isGone
          ? {}
          : { action: { label: text('retry'), run: () => void restore(deleted, idempotencyKey) } }),
      });
    }
  };

  return (deleted) => {
    const idempotencyKey = makeIdempotencyKey();
    showToast({
      kind: 'done',
      message: featureText('deleted', { name: deleted.title }),
      ...(goesToTrash(deleted.resource)
        ? { action: { label: featureText('undo'), run: () => void restore(deleted, idempotencyKey) } }
        : {}),
    });
  };
}
