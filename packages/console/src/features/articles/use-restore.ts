/** Makes an old version of an article the draft again, and offers the way back: the draft before is kept as a version. */

import type { Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { texts as recordTexts } from '../../records/texts.ts';
import { titleOf } from '../../resources/values.ts';
import { useFeatureText } from '../../text/feature.ts';
import { showToast } from '../../ui/toasts/toasts.ts';
import { texts } from './texts.ts';
import type { ArticleEditing } from './use-article.ts';
import { usePendingRequest } from './use-pending-request.ts';

/** @param path of the article */
export function useRestore(path: string, article: ArticleEditing, resource: Resource) {
  const featureText = useFeatureText(texts);
  const undo = useFeatureText(recordTexts)('undo');
  const { isWaiting, failure, run, describe } = usePendingRequest();
  const { record, sync } = article;
  const send = async (number: number) => {
    const request = { method: 'POST', path: `${path}/versions/${number}/restore`, body: null } as const;
    const restored = await sync.send(request, titleOf(resource, record));
    const opened = Number(valueAt(restored, 'versionData.versionNumber'));
    const kept = opened - 1;
    const isKept =
      opened > Number(valueAt(record, 'versionData.versionNumber')) &&
      kept !== restored.publishedVersionNumber;
    if (!isKept) return showToast({ kind: 'done', message: featureText('restored', { number }) });
    showToast({
      kind: 'done',
      message: featureText('restoredBeside', { number, kept }),
      action: {
        label: undo,
        run: () =>
          void send(kept).catch((error: unknown) => showToast({ kind: 'failure', message: describe(error) })),
      },
    });
  };
  return { isWaiting, failure, restore: (number: number) => run(() => send(number)) };
}
