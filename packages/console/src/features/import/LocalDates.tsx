/** By which clock dates without an offset are read: that of the site. */

import { useQuery } from '@tanstack/react-query';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { readRecord, recordKeys } from '../../resources/queries.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import shared from '../../ui/shared.module.css';
import { texts } from './texts.ts';

interface Props {
  /** What the records belong to. */
  readonly parent: Resource;
  readonly parentId: string | null;
}

export function LocalDates({ parent, parentId }: Props) {
  const featureText = useFeatureText(texts);
  const { api } = useWorkspace();
  const { data } = useQuery({
    queryKey: recordKeys.record(parent, parentId ?? ''),
    queryFn: ({ signal }) => readRecord(api, parent, null, parentId ?? '', signal),
    enabled: parentId !== null,
    staleTime: 60_000,
    retry: false,
  });
  const zone = valueAt(data, 'timezone');
  if (typeof zone !== 'string') return null;
  const name = String(valueAt(data, parent.titleField) ?? '');
  return <p className={shared.about}>{featureText('localDates', { zone, name })}</p>;
}
