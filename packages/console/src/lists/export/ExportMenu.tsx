/** Exports the records of a list, page by page, with its search, filters and order. */

import { Button, Menu } from '@mantine/core';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { useEffect, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import type { ApiRecord } from '../../api/api.ts';
import { readPages } from '../../api/pages.ts';
import { StepUpCancelled, useStepUp } from '../../api/proof.ts';
import { listRecords } from '../../resources/queries.ts';
import { instants } from '../../resources/values.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { chooseLanguage, useText } from '../../text/text.ts';
import { byteOrderMark, toCsv } from '../../ui/csv.ts';
import { saveFile } from '../../ui/download.ts';
import { Icon } from '../../ui/icons.tsx';
import { describeError } from '../../ui/problem-text.ts';
import { showToast } from '../../ui/toasts/toasts.ts';
import type { TableFormat } from './table-file.ts';
import { texts } from './texts.ts';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  /** Parameters of the list. */
  readonly query: Readonly<Record<string, string>>;
  readonly columns: readonly string[];
}

/** A table for people, with all columns or the visible ones, or records for programs. */
type Format = `${TableFormat}${'All' | 'Visible'}` | 'exactCsv' | 'jsonLines';

export function ExportMenu({ resource, parentId, query, columns }: Props) {
  const { api } = useWorkspace();
  const withStepUp = useStepUp();
  const featureText = useFeatureText(texts);
  const text = useText();
  const names = useNames();
  const language = chooseLanguage([useIntl().locale]);
  const [read, setRead] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const readList = (target: Resource, parameters: Readonly<Record<string, string>>, signal: AbortSignal) =>
    readPages((cursor: string | undefined) =>
      withStepUp(() => listRecords(api, target, parentId, { ...parameters, limit: '100' }, cursor, signal)),
    );

  /** The file, and what is to be said about it. */
  const make = async (format: Format, signal: AbortSignal) => {
    const { fields: _shown, ...others } = query;
    const fields = format.endsWith('All')
      ? [...flattenFields(resource).map(([name]) => name), ...instants]
      : columns;
    const parameters = format === 'jsonLines' ? others : { ...others, fields: ['id', ...fields].join(',') };
    const records: ApiRecord[] = [];
    for await (const page of readList(resource, parameters, signal)) {
      records.push(...page);
      setRead(records.length);
    }
    const done = featureText('done', { count: records.length });
    if (format === 'jsonLines') {
      const lines = records.map((record) => `${JSON.stringify(record)}\n`);
      const content = new Blob(lines, { type: 'application/jsonl;charset=utf-8' });
      return { content, name: `${resource.name}.jsonl`, message: done };
    }
    if (format === 'exactCsv') {
      const rows = records.map((record) => ['id', ...fields].map((name) => valueAt(record, name)));
      const parts = [byteOrderMark, toCsv([['id', ...fields]]), toCsv(rows)];
      const content = new Blob(parts, { type: 'text/csv;charset=utf-8' });
      return { content, name: `${resource.name}.csv`, message: done };
    }
    const kind = format.startsWith('xlsx') ? 'xlsx' : 'csv';
    const { makeTableFile, RecordNames } = await import('./table-file.ts');
    const recordNames = new RecordNames(resource, async (target) => {
      const titles = [target.titleField, ...(target.titleFallbacks ?? [])].join(',');
      return (await Array.fromAsync(readList(target, { fields: titles }, signal))).flat();
    });
    const options = { resource, language, names: recordNames, name: names.plural(resource) };
    const { content, tooLong } = await makeTableFile(options, fields, records, kind);
    const message = tooLong === 0 ? done : `${done} ${featureText('tooLong', { count: tooLong })}`;
    return { content, name: `${names.plural(resource)}.${kind}`, message };
  };

  const run = async (format: Format) => {
    const cancelling = new AbortController();
    running.current = cancelling;
    const { signal } = cancelling;
    setRead(0);
    try {
      const { content, name, message } = await make(format, signal);
      if (signal.aborted) return;
      saveFile(content, name);
      showToast({ kind: 'done', message });
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
  const item = (format: Format) => (
    <Menu.Item key={format} onClick={() => void run(format)}>
      {featureText(format)}
    </Menu.Item>
  );
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<Icon name="download" size={14} />}>
          {featureText('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{featureText('forPeople')}</Menu.Label>
        {(['xlsxAll', 'xlsxVisible', 'csvAll', 'csvVisible'] as const).map(item)}
        <Menu.Divider />
        <Menu.Label>{featureText('forPrograms')}</Menu.Label>
        {(['exactCsv', 'jsonLines'] as const).map(item)}
      </Menu.Dropdown>
    </Menu>
  );
}
