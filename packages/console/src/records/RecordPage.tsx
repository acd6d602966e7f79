/** The page of a record: its form, what happened to it, and what can be done with it. */
import { Button, Menu } from '@mantine/core';
import { useClipboard, useHotkeys } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useBlocker, useNavigate } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { type ReactNode, useState } from 'react';
import { StepUpCancelled, useStepUp } from '../account/StepUp.tsx';
import type { ApiRecord } from '../api/api.ts';
import { isProblem, ProblemError } from '../api/problem.ts';
import { useWorkspace } from '../app/workspace.ts';
import type { RecordPageProps } from '../particular/registry.tsx';
import { Empty } from '../parts/Empty.tsx';
import { Icon } from '../parts/icons.tsx';
import { Loading } from '../parts/Loading.tsx';
import { Notice } from '../parts/Notice.tsx';
import { PageHead } from '../parts/PageHead.tsx';
import { describeError } from '../parts/problem-text.ts';
import { RefusableButton } from '../parts/Refusable.tsx';
import { useRefusal } from '../rights/missing-right.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { describeAsCurl } from './curl.ts';
import { DeleteDialog } from './DeleteDialog.tsx';
import { bodyOf, type Draft, useWriteKey } from './draft.ts';
import { LeaveDialog } from './LeaveDialog.tsx';
import { collectionPath, recordPathOf } from './places.ts';
import { readRecord, recordKeys } from './queries.ts';
import { RecordForm } from './RecordForm.tsx';
import styles from './RecordPage.module.css';
import { RecordSide } from './RecordSide.tsx';
import { SecretDialog } from './SecretDialog.tsx';
import { titleOf } from './values.ts';

export function RecordPage({ resource, parentId, recordId }: RecordPageProps) {
  const { api } = useWorkspace();
  const names = useNames();
  const text = useText();
  const isNew = recordId === 'new';
  const record = useQuery({
    queryKey: recordKeys.record(resource, recordId),
    queryFn: ({ signal }) => readRecord(api, resource, parentId, recordId, signal),
    enabled: !isNew,
    refetchOnWindowFocus: false,
  });
  const up = { label: names.plural(resource), href: collectionPath(resource, parentId) };
  if (isNew) return <RecordEditor resource={resource} parentId={parentId} record={null} up={up} />;
  if (record.data !== undefined)
    return <RecordEditor resource={resource} parentId={parentId} record={record.data} up={up} />;
  return (
    <>
      <PageHead title={names.singular(resource)} up={up} />
      {record.isPending && <Loading />}
      {isProblem(record.error, 'not_found') && (
        <Empty icon="search" title={text('record.missing')} about={text('notFound.about')} />
      )}
      {record.isError && !isProblem(record.error, 'not_found') && (
        <Empty icon="warning" title={text('failure.title')} about={describeError(record.error, text)}>
          <Button variant="default" onClick={() => void record.refetch()}>
            {text('retry')}
          </Button>
        </Empty>
      )}
    </>
  );
}

interface EditorProps {
  readonly resource: Resource;
  readonly parentId: string | null;
  /** Null for a new one. */
  readonly record: ApiRecord | null;
  readonly up: { readonly label: string; readonly href: string };
}

function RecordEditor({ resource, parentId, record, up }: EditorProps) {
  const { api } = useWorkspace();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const names = useNames();
  const text = useText();
  const refusal = useRefusal();
  const withStepUp = useStepUp();
  const [draft, setDraft] = useState<Draft>({});
  const [isDeleting, setIsDeleting] = useState(false);
  // A secret is in the answer of the creation only.
  const [created, setCreated] = useState<{ readonly id: string; readonly secret: string } | null>(null);
  const goTo = (id: string) =>
    navigate({ to: recordPathOf(resource, parentId, id), replace: true, ignoreBlocker: true });
  const keyOf = useWriteKey();
  const isDirty = Object.keys(draft).length > 0;
  const request = requestOf(resource, parentId, record, draft);
  const guard = useBlocker({
    shouldBlockFn: () => isDirty && !save.isSuccess,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  const save = useMutation({
    mutationFn: () => {
      const idempotencyKey = keyOf(JSON.stringify(request));
      return withStepUp(() => api.write({ ...request, idempotencyKey }));
    },
    onSuccess: async (written) => {
      setDraft({});
      if (written === undefined) return;
      const { secret, ...shown } = written;
      queries.setQueryData(recordKeys.record(resource, shown.id), shown);
      void queries.invalidateQueries({ queryKey: recordKeys.all(resource) });
      if (typeof secret === 'string') setCreated({ id: shown.id, secret });
      else if (record === null) await goTo(shown.id);
    },
  });
  const refused = refusal(resource, record === null ? 'create' : 'update');
  const submit = () => {
    if (isDirty && refused === null && !save.isPending) save.mutate();
  };
  useHotkeys([['mod+S', submit]], []);
  const faults = save.error instanceof ProblemError ? save.error.faults : [];
  const title =
    record === null ? text('record.new', { name: names.noun(resource) }) : titleOf(resource, record);
  return (
    <>
      <PageHead
        title={title}
        up={up}
        aside={isDirty && record !== null && <span className={styles.dirty}>{text('record.unsaved')}</span>}
        actions={
          <>
            {record !== null && (
              <RecordMenu
                record={record}
                request={request}
                isDirty={isDirty}
                keyOf={keyOf}
                askToDelete={() => setIsDeleting(true)}
              />
            )}
            {record !== null && isDirty && (
              <Button variant="default" onClick={() => setDraft({})}>
                {text('record.discard')}
              </Button>
            )}
            <RefusableButton
              refusal={refused}
              onClick={submit}
              loading={save.isPending}
              disabled={refused === null && !isDirty}
            >
              {text(record === null ? 'record.create' : 'record.save')}
            </RefusableButton>
          </>
        }
      />
      <div className={styles.page}>
        <form
          className={styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          {refused !== null && <Notice kind="hint">{refused}</Notice>}
          <SaveFailure
            error={save.error}
            resource={resource}
            parentId={parentId}
            recordId={record?.id ?? null}
          />
          <RecordForm
            resource={resource}
            parentId={parentId}
            record={record}
            draft={draft}
            setDraft={setDraft}
            faults={faults}
            disabled={refused !== null}
          />
          <button type="submit" hidden tabIndex={-1} aria-hidden="true" />
        </form>
        {record !== null && <RecordSide resource={resource} record={record} />}
      </div>
      {record !== null && isDeleting && (
        <DeleteDialog
          resource={resource}
          parentId={parentId}
          record={record}
          close={() => setIsDeleting(false)}
          deleted={() => void navigate({ to: up.href, ignoreBlocker: true })}
        />
      )}
      {created !== null && <SecretDialog secret={created.secret} close={() => void goTo(created.id)} />}
      {guard.status === 'blocked' && <LeaveDialog stay={guard.reset} leave={guard.proceed} />}
    </>
  );
}

interface WriteRequest {
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly body: object;
  readonly ifVersion?: number;
}

/** The request that makes the changes of a draft. */
function requestOf(
  resource: Resource,
  parentId: string | null,
  record: ApiRecord | null,
  draft: Draft,
): WriteRequest {
  const body = bodyOf(draft);
  if (record === null) return { method: 'POST', path: `/v1${collectionPath(resource, parentId)}`, body };
  const path = `/v1${recordPathOf(resource, parentId, record.id)}`;
  return { method: 'PATCH', path, body, ifVersion: record.version };
}

interface FailureProps {
  readonly error: unknown;
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly recordId: string | null;
}

/** What a refused change needs: the other record, the present version, or the fields at fault. */
function SaveFailure({ error, resource, parentId, recordId }: FailureProps) {
  const text = useText();
  const queries = useQueryClient();
  if (error === null || error instanceof StepUpCancelled) return null;
  let more: ReactNode = null;
  if (isProblem(error, 'version_mismatch') && recordId !== null) {
    more = (
      <Button
        variant="default"
        size="xs"
        mt="xs"
        onClick={() => void queries.invalidateQueries({ queryKey: recordKeys.record(resource, recordId) })}
      >
        {text('record.readAgain')}
      </Button>
    );
  } else if (isProblem(error, 'conflict') && typeof error.members.existingId === 'string') {
    more = (
      <Link to={recordPathOf(resource, parentId, error.members.existingId)}>
        {text('record.openExisting')}
      </Link>
    );
  }
  if (isProblem(error, 'validation_failed', 'unknown_field', 'reference_not_found')) {
    const unplaced = error.faults.filter(({ pointer }) => pointer === undefined || pointer === '');
    return (
      <Notice kind="failure" title={text('record.invalid')}>
        {unplaced.map(({ detail }) => detail).join(' ')}
      </Notice>
    );
  }
  return (
    <Notice kind="failure">
      {describeError(error, text)} {more}
    </Notice>
  );
}

interface MenuProps {
  readonly record: ApiRecord;
  readonly request: WriteRequest;
  readonly isDirty: boolean;
  readonly keyOf: (request: string) => string;
  readonly askToDelete: () => void;
}

function RecordMenu({ record, request, isDirty, keyOf, askToDelete }: MenuProps) {
  const text = useText();
  const { copy, copied } = useClipboard({ timeout: 2_000 });
  const curl = isDirty
    ? describeAsCurl({ ...request, idempotencyKey: keyOf(JSON.stringify(request)) })
    : describeAsCurl({ method: 'GET', path: request.path });
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button variant="default" px={9} aria-label={text('record.more')}>
          <Icon name={copied ? 'check' : 'more'} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="copy" />} onClick={() => copy(record.id)}>
          {text('record.copyId')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="copy" />} onClick={() => copy(curl)}>
          {text(isDirty ? 'record.copyChange' : 'record.copyRead')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="trash" />} className={styles.delete ?? ''} onClick={askToDelete}>
          {text('record.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
