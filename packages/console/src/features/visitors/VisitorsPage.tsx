/** Visitors of the organization's websites: the keys with the script to paste, looking one up, and erasing one. */
import '../../ui/input-styles.ts';
import { Button, Group, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { requestOf } from '@trellis/client/api-client.ts';
import type { Visitor } from '@trellis/client/generated/types.ts';
import type { NeededRight } from '@trellis/schema/rights/check-right.ts';
import { useEffect, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import { isProblem } from '../../api/problem.ts';
import { useWrite } from '../../records/use-write.ts';
import { resourceByName } from '../../resources/declared.ts';
import { recordKeys } from '../../resources/queries.ts';
import { readingVisitors, useRefusal, useRightRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import details from '../../ui/details.module.css';
import { Empty } from '../../ui/Empty.tsx';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import shared from '../../ui/shared.module.css';
import { NewClientDialog } from '../settings/NewClientDialog.tsx';
import { texts } from './texts.ts';
import { keysSection, Visits } from './Visits.tsx';

const erasing: NeededRight = {
  scopes: ['visitors:delete'],
  module: 'visitors',
  permission: { resource: 'visitors', action: 'delete' },
};

export function VisitorsPage() {
  const text = useText();
  const refusal = useRightRefusal()(readingVisitors);
  const { id } = useSearch({ strict: false });
  const mayReadClients = useRefusal()(resourceByName('clients'), 'read') === null;
  return (
    <>
      <PageHead title={text('visitors.title')} />
      {refusal !== null && <Empty icon="lock" title={text('list.forbidden')} about={refusal} />}
      {refusal === null && (
        <div className={shared.page}>
          <Visits mayReadKeys={mayReadClients} />
          <Lookup key={id} />
          {mayReadClients && <Keys />}
        </div>
      )}
    </>
  );
}

/** The visitor whose id is in the URL. */
function Lookup() {
  const featureText = useFeatureText(texts);
  const navigate = useNavigate();
  const { api } = useWorkspace();
  const { id = '' } = useSearch({ strict: false });
  const [typed, setTyped] = useState(id);
  const visitor = useQuery({
    queryKey: ['v1', 'visitors', id],
    queryFn: ({ signal }) => api.read('getVisitor', { path: { visitorId: id }, signal }),
    enabled: id !== '',
    retry: false,
  });
  const section = useRef<HTMLElement>(null);
  const isFound = visitor.data !== undefined;
  // Who comes from the list looks at the end of it.
  useEffect(() => {
    if (isFound) section.current?.focus();
  }, [isFound]);
  const isMissing = isProblem(visitor.error, 'not_found', 'validation_failed');
  return (
    <section ref={section} tabIndex={-1} className={shared.section} aria-label={featureText('lookup')}>
      <h2 className={shared.title}>{featureText('lookup')}</h2>
      <p className={shared.about}>{featureText('lookupAbout')}</p>
      <form
        className={shared.group}
        onSubmit={(event) => {
          event.preventDefault();
          void navigate({ to: '.', search: ({ site }) => ({ site, id: typed.trim() }) });
        }}
      >
        <TextInput
          aria-label={featureText('id')}
          placeholder="vis_…"
          w={320}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={visitor.isFetching} disabled={typed.trim() === ''}>
          {featureText('find')}
        </Button>
      </form>
      {isMissing && <Notice kind="hint">{featureText('notFound')}</Notice>}
      {!isMissing && <FailureNotice error={visitor.error} />}
      {visitor.data !== undefined && <VisitorFacts visitor={visitor.data} />}
    </section>
  );
}

function VisitorFacts({ visitor }: { readonly visitor: Visitor }) {
  const featureText = useFeatureText(texts);
  const { formatNumber } = useIntl();
  const refusal = useRightRefusal()(erasing);
  const [isConfirming, setIsConfirming] = useState(false);
  const erase = useWrite({
    changes: [['v1', 'visitors', visitor.visitorId]],
    done: () => setIsConfirming(false),
  });
  if (erase.isSuccess) return <Notice kind="success">{featureText('erased')}</Notice>;
  const { confidence, browser, device, firstSeenAt, lastSeenAt, visitorId } = visitor;
  return (
    <>
      <dl className={details.facts}>
        <dt>{featureText('score')}</dt>
        <dd>{formatNumber(confidence.score, { style: 'percent' })}</dd>
        <dt>{featureText('browser')}</dt>
        <dd>
          {browser.name} {browser.version}
        </dd>
        <dt>{featureText('device')}</dt>
        <dd>{device.type}</dd>
        <dt>{featureText('firstSeen')}</dt>
        <dd>
          <Moment value={firstSeenAt} />
        </dd>
        <dt>{featureText('lastSeen')}</dt>
        <dd>
          <Moment value={lastSeenAt} />
        </dd>
      </dl>
      <Group gap={8}>
        <GuardedButton variant="default" refusal={refusal} onClick={() => setIsConfirming(true)}>
          {featureText('erase')}
        </GuardedButton>
      </Group>
      {isConfirming && (
        <ConfirmDialog
          title={featureText('eraseTitle')}
          about={featureText('eraseAbout')}
          action={featureText('erase')}
          isDangerous
          isPending={erase.isPending}
          confirm={() => erase.mutate(requestOf('deleteVisitor', { path: { visitorId } }))}
          close={() => setIsConfirming(false)}
        >
          <FailureNotice error={erase.failure} />
        </ConfirmDialog>
      )}
    </>
  );
}

/** The publishable keys, each with what to paste into the pages. */
function Keys() {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { api } = useWorkspace();
  const clients = resourceByName('clients');
  const createRefusal = useRefusal()(clients, 'create');
  const [isAdding, setIsAdding] = useState(false);
  const keys = useQuery({
    queryKey: recordKeys.list(clients, null, 'browser'),
    queryFn: ({ signal }) => api.read('listClients', { query: { kind: ['BROWSER'], limit: 100 }, signal }),
  });
  return (
    <section id={keysSection} className={shared.section} aria-label={featureText('keys')}>
      <Group justify="space-between" gap="8px 12px">
        <h2 className={shared.title}>{featureText('keys')}</h2>
        <GuardedButton variant="default" size="xs" refusal={createRefusal} onClick={() => setIsAdding(true)}>
          {featureText('newKey')}
        </GuardedButton>
      </Group>
      <p className={shared.about}>{featureText('keysAbout')}</p>
      <FailureNotice error={keys.error} />
      {keys.data?.items.length === 0 && <p className={shared.none}>{featureText('noKeys')}</p>}
      {keys.data?.items.map(({ id, name, status, origins, publishableKey }) => {
        const snippet = `<script src="${location.origin}/agent.js" data-key="${publishableKey ?? ''}"></script>
<script>
  Trellis.identify({ consent: 'UNKNOWN' }).then(({ visitorId, confidence, error }) => {
    if (error === null) console.log(visitorId, confidence.score);
  });
</script>`;
        return (
          <article key={id} className={shared.section} aria-label={name}>
            <Group justify="space-between" gap="8px 12px">
              <h3 className={shared.title}>
                {name}{' '}
                <span className={shared.small}>
                  {status === 'DISABLED' ? names.value(status) : origins.join(', ')}
                </span>
              </h3>
              <CopyButton value={snippet} label={featureText('copySnippet')} />
            </Group>
            <pre className={shared.codeBlock}>{snippet}</pre>
          </article>
        );
      })}
      {isAdding && (
        <NewClientDialog title={featureText('newKey')} kinds={['BROWSER']} close={() => setIsAdding(false)} />
      )}
    </section>
  );
}
