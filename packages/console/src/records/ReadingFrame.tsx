/** The frame of a read-only record page: name, actions and history. A button opens the form. */
import { Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { ReactNode } from 'react';
import type { ApiRecord } from '../api/api.ts';
import { collectionPath } from '../resources/places.ts';
import { useRefusal } from '../session/missing-right.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import details from '../ui/details.module.css';
import { GuardedButton } from '../ui/GuardedButton.tsx';
import { PageHead } from '../ui/PageHead.tsx';
import { RecordActions } from './RecordActions.tsx';
import { RecordSide } from './RecordSide.tsx';

interface Props {
  /** A resource without a parent. */
  readonly resource: Resource;
  readonly record: ApiRecord;
  readonly title: string;
  /** The parent page; the list of the resource by default. */
  readonly up?: { readonly label: string; readonly href: string };
  /** Beside the title. */
  readonly aside?: ReactNode;
  /** Buttons before the one that opens the form. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function ReadingFrame({ resource, record, title, up, aside, actions, children }: Props) {
  const text = useText();
  const names = useNames();
  const navigate = useNavigate();
  const refusal = useRefusal()(resource, 'update');
  return (
    <>
      <PageHead
        title={title}
        up={up ?? { label: names.plural(resource), href: collectionPath(resource, null) }}
        aside={aside}
        actions={
          <>
            <RecordActions resource={resource} parentId={null} record={record} />
            {actions}
            <GuardedButton
              refusal={refusal}
              onClick={() => void navigate({ to: '.', search: { edit: 'yes' } })}
            >
              {text('record.edit')}
            </GuardedButton>
          </>
        }
      />
      <div className={details.withSide}>
        <Stack gap={22} miw={0}>
          {children}
        </Stack>
        <RecordSide resource={resource} record={record} />
      </div>
    </>
  );
}
