/** Says during typing that another record already has a unique value, and links to that record. */
import { Box } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { createContext, type ReactNode, useContext } from 'react';
import type { Api, ApiRecord } from '../api/api.ts';
import { isProblem } from '../api/problem.ts';
import { recordPathOf } from '../resources/places.ts';
import { listRecords, recordKeys } from '../resources/queries.ts';
import { titleOf } from '../resources/values.ts';
import { useRefusal } from '../session/missing-right.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useFeatureText } from '../text/feature.ts';
import styles from './DuplicateHints.module.css';
import type { Draft } from './draft.ts';
import { texts } from './texts.ts';
import { type UniqueValue, uniqueValuesOf } from './unique-values.ts';

/** How long nothing is typed before records are looked for, in milliseconds. */
const pauseMs = 300;
/** How long it is relied on that a value is free, or taken, in milliseconds. */
const rememberedMs = 10_000;

/** A value that another record has. */
interface Duplicate extends UniqueValue {
  readonly title: string;
  readonly path: string;
}

const DuplicatesContext = createContext<readonly Duplicate[]>([]);

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  /** The record in the form; null for a new one. */
  readonly record: ApiRecord | null;
  readonly draft: Draft;
  /** Whether nothing can be typed now, as while a new record is created: it would be found itself. */
  readonly disabled: boolean;
  readonly children: ReactNode;
}

/** Searches for records with the values of the draft; `useDuplicateHint` returns the hints for the inputs in it. */
export function DuplicateHints({ resource, parentId, record, draft, disabled, children }: Props) {
  const { api } = useWorkspace();
  const queries = useQueryClient();
  const refusal = useRefusal()(resource, 'read');
  const values = uniqueValuesOf(resource, record, draft);
  const [settled] = useDebouncedValue(JSON.stringify(values), pauseMs);
  const found = useQuery({
    queryKey: [...recordKeys.all(resource), 'duplicates', parentId, settled],
    queryFn: async () => {
      const looked = (JSON.parse(settled) as UniqueValue[]).map(async (unique) => {
        const other = await queries.fetchQuery({
          queryKey: [...recordKeys.all(resource), 'duplicate', parentId, unique.filter, unique.value],
          queryFn: ({ signal }) => findRecord(api, resource, parentId, unique, signal),
          staleTime: rememberedMs,
        });
        return other === null ? [] : [{ unique, other }];
      });
      return (await Promise.all(looked)).flat();
    },
    enabled: !disabled && refusal === null && settled !== '[]',
    placeholderData: keepPreviousData,
    retry: false,
  });
  const duplicates = (found.data ?? []).flatMap(({ unique, other }): Duplicate[] => {
    // Found for the previous input, or the record itself.
    if (other.id === record?.id || !values.some((value) => isSameValue(value, unique))) return [];
    return [{ ...unique, title: titleOf(resource, other), path: recordPathOf(resource, parentId, other.id) }];
  });
  return <DuplicatesContext value={duplicates}>{children}</DuplicatesContext>;
}

/** What is said about the value at a pointer; undefined for nothing. */
export function useDuplicateHint(pointer: string): ReactNode {
  const featureText = useFeatureText(texts);
  const here = useContext(DuplicatesContext).filter((duplicate) => duplicate.pointer === pointer);
  if (here.length === 0) return undefined;
  return here.map(({ filter, value, title, path }) => (
    <Box component="span" key={`${filter} ${value}`} role="alert" display="block">
      {featureText('taken', { value })}{' '}
      <Link to={path} className={styles.link}>
        {title}
      </Link>
    </Box>
  ));
}

function isSameValue(one: UniqueValue, other: UniqueValue): boolean {
  return one.filter === other.filter && one.value === other.value && one.pointer === other.pointer;
}

/** The record that has a value; null without one, and for a value that no record can have. */
async function findRecord(
  api: Api,
  resource: Resource,
  parentId: string | null,
  { filter, value }: UniqueValue,
  signal: AbortSignal,
): Promise<ApiRecord | null> {
  const fields = [resource.titleField, ...(resource.titleFallbacks ?? [])].join(',');
  try {
    const query = { [filter]: value, fields, limit: '1' };
    const { items } = await listRecords(api, resource, parentId, query, undefined, signal);
    return items[0] ?? null;
  } catch (error) {
    // Half of an address is not yet an address.
    if (isProblem(error, 'invalid_parameter')) return null;
    throw error;
  }
}
