/** The menu of an article. Edits are saved automatically, so its command only sends the fields that wait for "Apply". */
import { Menu } from '@mantine/core';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useWriteKey } from '../../fields/draft.ts';
import { nestValues } from '../../outbox/store/fields.ts';
import { describeAsCurl } from '../../records/curl.ts';
import { RecordActions } from '../../records/RecordActions.tsx';
import { recordPathOf } from '../../resources/places.ts';
import { useFeatureText } from '../../text/feature.ts';
import { Icon } from '../../ui/icons.tsx';
import { texts } from './texts.ts';
import type { ArticleEditing } from './use-article.ts';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly article: ArticleEditing;
  /** Shows the versions; null where they have a button. */
  readonly showVersions: (() => void) | null;
}

export function ArticleActions({ resource, parentId, article, showVersions }: Props) {
  const { record, draft, held, save } = article;
  const featureText = useFeatureText(texts);
  const keyOf = useWriteKey();
  const request = {
    method: 'PATCH',
    path: `/v1${recordPathOf(resource, parentId, record.id)}`,
    body: nestValues(held.map((name) => [name, draft[name]])),
    ifVersion: record.version,
  };
  const change =
    held.length === 0 ? null : describeAsCurl({ ...request, idempotencyKey: keyOf(JSON.stringify(request)) });
  return (
    <RecordActions
      resource={resource}
      parentId={parentId}
      record={record}
      change={change}
      store={save}
      items={
        showVersions !== null && (
          <Menu.Item leftSection={<Icon name="clock" />} onClick={showVersions}>
            {featureText('versions')}
          </Menu.Item>
        )
      }
    />
  );
}
