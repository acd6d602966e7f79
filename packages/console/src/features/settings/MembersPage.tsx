/** The members of the organization, with their roles. */
import { Group, NativeSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { byCursor } from '../../api/pages.ts';
import { useLiveReads } from '../../live/use-live-reads.ts';
import { resourceByName } from '../../resources/declared.ts';
import { collectionPath } from '../../resources/places.ts';
import { recordKeys } from '../../resources/queries.ts';
import { readingEvents, useRefusal, useRightRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import details from '../../ui/details.module.css';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import shared from '../../ui/shared.module.css';
import { FormerMembers } from './FormerMembers.tsx';
import { InviteButton } from './InviteButton.tsx';
import { MemberRow } from './MemberRow.tsx';
import { ServiceMemberDialog } from './ServiceMemberDialog.tsx';
import { SettingsPage } from './SettingsPage.tsx';
import { texts } from './texts.ts';
import { useRoles } from './use-roles.ts';

export function MembersPage() {
  return <Members />;
}

/** The same with the dialog for a new service member: people are invited. */
export function NewMemberPage() {
  return <Members isAdding />;
}

function Members({ isAdding = false }: { readonly isAdding?: boolean }) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { api } = useWorkspace();
  const members = resourceByName('members');
  useLiveReads(members);
  const navigate = useNavigate();
  const path: string = collectionPath(members, null);
  const refusal = useRefusal()(members, 'create');
  const [isOpen, setIsOpen] = useState(isAdding && refusal === null);
  const [typed, setTyped] = useState('');
  const [words] = useDebouncedValue(typed.trim(), 200);
  const roles = useRoles();
  const list = useInfiniteQuery({
    queryKey: recordKeys.list(members, null, `settings ${words}`),
    queryFn: ({ pageParam: cursor, signal }) => {
      const search = words === '' ? undefined : words;
      return api.read('listMembers', { query: { limit: 50, sort: 'name', search, cursor }, signal });
    },
    ...byCursor,
    placeholderData: keepPreviousData,
  });
  // The log of events says who has left.
  const isLogRead = useRightRefusal()(readingEvents) === null;
  const isLeft = useSearch({ strict: false }).show === 'left' && isLogRead;
  const shown = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <SettingsPage
      title={names.plural(members)}
      actions={
        <>
          <GuardedButton
            variant="default"
            refusal={refusal}
            leftSection={<Icon name="plus" />}
            onClick={() => setIsOpen(true)}
          >
            {featureText('newService')}
          </GuardedButton>
          <InviteButton />
        </>
      }
    >
      <Group gap={8}>
        {isLogRead && (
          <NativeSelect
            size="xs"
            aria-label={featureText('whichMembers')}
            value={isLeft ? 'left' : ''}
            data={[
              { value: '', label: featureText('present') },
              { value: 'left', label: featureText('left') },
            ]}
            onChange={({ currentTarget: { value } }) =>
              void navigate({ to: '.', search: value === '' ? {} : { show: value }, replace: true })
            }
          />
        )}
        {!isLeft && (
          <SearchInput
            className={details.search}
            label={featureText('findMember')}
            value={typed}
            onChange={setTyped}
          />
        )}
      </Group>
      {isLeft ? (
        <FormerMembers />
      ) : (
        <>
          <FailureNotice error={list.error} />
          {list.isPending && <Loading />}
          {list.isSuccess && shown.length === 0 && <p className={shared.none}>{featureText('noMember')}</p>}
          <ul className={shared.rows} aria-label={names.plural(members)}>
            {shown.map((member) => (
              <MemberRow key={member.id} member={member} roles={roles.data ?? []} />
            ))}
          </ul>
          <MoreButton list={list} label={featureText('more')} />
        </>
      )}
      {isOpen && (
        <ServiceMemberDialog
          member={null}
          close={() => {
            setIsOpen(false);
            if (isAdding) void navigate({ to: path });
          }}
        />
      )}
    </SettingsPage>
  );
}
