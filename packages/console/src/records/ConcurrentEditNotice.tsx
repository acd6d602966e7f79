/** Warns that another user has changed fields that are being edited here. */
import { useIntl } from 'react-intl';
import type { ApiRecord } from '../api/api.ts';
import { usePersonName } from '../fields/Person.tsx';
import { texts } from '../live/texts.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { Notice } from '../ui/Notice.tsx';

interface Props {
  /** The other user's version. */
  readonly record: ApiRecord;
  /** The fields that both have changed. */
  readonly fields: readonly string[];
}

export function ConcurrentEditNotice({ record, fields }: Props) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { formatList } = useIntl();
  const { signedIn } = useWorkspace();
  const name = usePersonName(typeof record.updatedBy === 'string' ? record.updatedBy : null);
  return (
    <Notice kind="hint" icon="users">
      {featureText('changedElsewhere', {
        name,
        own: String(record.updatedBy === signedIn.user.id),
        fields: formatList(fields.map((field) => names.field(field))),
      })}
    </Notice>
  );
}
