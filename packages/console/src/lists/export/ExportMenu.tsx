/** Exports the records of a list, page by page, with its search, filters and order. */

import { Button, Menu } from '@mantine/core';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useEffect, useRef, useState } from 'react';
import { readPages } from '../../api/pages.ts';
import { StepUpCancelled, useStepUp } from '../../api/proof.ts';
import { listRecords } from '../../resources/queries.ts';
import { valueAt } from '../../resources/values.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { byteOrderMark, toCsv } from '../../ui/csv.ts';
import { saveFile } from '../../ui/download.ts';
import { Icon } from '../../ui/icons.tsx';
import { describeError } from '../../ui/problem-text.ts';
import { showToast } from '../../ui/toasts/toasts.ts';
import { texts } from './texts.ts';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  /** Parameters of the list. */
  readonly query: Readonly<Record<string, string>>;
  readonly columns: readonly string[];
}

type Format = 'csv' | 'jsonLines';

export function ExportMenu({ resource, parentId, query, columns }: Props) {
  const { api } = useWorkspace();
  const withStepUp = useStepUp();
  const featureText = useFeatureText(texts);
  const text = useText();
  const names = useNames();
  const [read, setRead] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (format: Format) => {
    const cancelling = new AbortController();
    running.current = cancelling;
    const { signal } = cancelling;
    const { fields: _shown, ...others } = query;
    const fields = ['id', ...columns];
    const parameters = format === 'csv' ? { ...others, fields: fields.join(',') } : others;
    const parts = format === 'csv' ? [byteOrderMark, toCsv([fields])] : [];
    let count = 0;
    setRead(0);
    try {
      const pageQuery = { ...parameters, limit: '100' };
      const readPage = (cursor: string | undefined) =>
        withStepUp(() => listRecords(api, resource, parentId, pageQuery, cursor, signal));
      for await (const records of readPages(readPage)) {
        parts.push(
          format === 'csv'
            ? toCsv(records.map((record) => fields.map((name) => valueAt(record, name))))
            : records.map((record) => `${JSON.stringify(record)}\n`).join(''),
        );
        count += records.length;
        setRead(count);
      }
      const isCsv = format === 'csv';
      const type = isCsv ? 'text/csv' : 'application/jsonl';
      saveFile(
        new Blob(parts, { type: `${type};charset=utf-8` }),
        `${resource.name}.${isCsv ? 'csv' : 'jsonl'}`,
      );
      showToast({ kind: 'done', message: featureText('done', { count }) });
    } catch (error) {
      if (!signal.aborted && !(error instanceof StepUpCancelled))
        showToast({ kind: 'failure', message: describeError(error, text, names) });
    } finally {
      if (!signal.aborted) setRead(null);
    }
  };

  if (read !== null) {
    return (
      <Button
        variant="default"
        size="xs"
        rightSection={<Icon name="close" size={14} />}
        aria-label={featureText('cancel')}
        onClick={() => {
          running.current?.abort();
          setRead(null);
        }}
      >
        <span role="status">{featureText('running', { count: read })}</span>
      </Button>
    );
  }
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<Icon name="download" size={14} />}>
          {featureText('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void run('csv')}>{featureText('csv')}</Menu.Item>
        <Menu.Item onClick={() => void run('jsonLines')}>{featureText('jsonLines')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
