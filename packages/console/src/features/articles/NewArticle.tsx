/** The form for a new article: its place, format and title. Everything else is in the editor. */

import { Box, Select, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { requestOf } from '@trellis/client/api-client.ts';
import type { Article } from '@trellis/client/generated/types.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useRef, useState } from 'react';
import { isProblem } from '../../api/problem.ts';
import { faultsAt } from '../../fields/draft.ts';
import { RecordSelect } from '../../fields/RecordSelect.tsx';
import { useWrite } from '../../records/use-write.ts';
import { resourceByName } from '../../resources/declared.ts';
import { noteParent, recordPathOf } from '../../resources/places.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { faultsOf } from '../../ui/problem-text.ts';
import shared from '../../ui/shared.module.css';
import { texts } from './texts.ts';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly up: { readonly label: string; readonly href: string };
}

const formats = ['MARKDOWN', 'HTML'] as const;

export function NewArticle({ resource, parentId, up }: Props) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const navigate = useNavigate();
  const refused = useRefusal()(resource, 'create');
  const sites = resourceByName('sites');
  const [siteId, setSiteId] = useState(parentId);
  const [title, setTitle] = useState('');
  const titleInput = useRef<HTMLInputElement>(null);
  const [bodyFormat, setBodyFormat] = useState<(typeof formats)[number]>(formats[0]);
  const create = useWrite<Article>({
    written: { resource },
    changes: [recordKeys.all(resource)],
    done: (created) => {
      if (siteId === null) return;
      noteParent(sites.name, siteId);
      void navigate({ to: recordPathOf(resource, siteId, created.id), replace: true });
    },
  });
  const faults = faultsOf(create.failure, names);
  const submit = () => {
    if (refused !== null || create.isPending) return;
    const body = { versionData: { title, bodyFormat } };
    create.mutate(requestOf('createArticle', { path: { siteId: siteId ?? '' }, body }), {
      onError: (error) => {
        if (isProblem(error, 'validation_failed')) titleInput.current?.focus();
      },
    });
  };
  return (
    <>
      <PageHead title={featureText('newTitle')} up={up} />
      <Box
        component="form"
        className={shared.fields}
        maw={480}
        mx="auto"
        px={24}
        py={48}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <h2 className={shared.heading}>{featureText('newTitle')}</h2>
        <p className={shared.about}>{featureText('newAbout')}</p>
        {refused !== null && <Notice kind="hint">{refused}</Notice>}
        {!isProblem(create.failure, 'validation_failed') && <FailureNotice error={create.failure} />}
        <TextInput
          ref={titleInput}
          label={names.field('title')}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
          error={faultsAt(faults, '/versionData/title') ?? undefined}
          required
          data-autofocus
          autoFocus
          disabled={refused !== null}
        />
        <RecordSelect
          resource={sites}
          parentId={null}
          label={names.singular(sites)}
          value={siteId}
          onChange={(id) => setSiteId(id ?? siteId)}
          disabled={refused !== null}
        />
        <Select
          label={names.field('bodyFormat')}
          data={formats.map((value) => ({ value, label: names.value(value) }))}
          value={bodyFormat}
          onChange={(value) => setBodyFormat(value ?? formats[0])}
          allowDeselect={false}
          disabled={refused !== null}
        />
        <div>
          <GuardedButton refusal={refused} onClick={submit} loading={create.isPending}>
            {featureText('go')}
          </GuardedButton>
        </div>
        <button type="submit" hidden tabIndex={-1} aria-hidden="true" />
      </Box>
    </>
  );
}
