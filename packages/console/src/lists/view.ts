/** A view of a list: search, sort, filters and columns. It is the query of the page's address, so a view is a link. */

import { useNavigate, useSearch } from '@tanstack/react-router';
import { filtersOf } from '@trellis/schema/resources/filters.ts';
import { flattenFields, type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import { readColumn, writeColumn } from '@trellis/schema/resources/view-columns.ts';
import { resourceByName } from '../resources/declared.ts';
import { presentationOf } from '../resources/presentation.ts';
import { instants } from '../resources/values.ts';
import type { Widths } from './columns/order.ts';

/** The state of a list in its URL. Filters have the names of the API's parameters. */
export interface View {
  /** Id of the saved view that the list was opened from; '' for none. */
  readonly savedId: string;
  readonly search: string;
  /** In the API's notation; '' for the default order. */
  readonly sort: string;
  readonly filters: Readonly<Record<string, string>>;
  /** In their order, the title first. */
  readonly columns: readonly string[];
  /** Of the columns that have one of their own. */
  readonly widths: Widths;
  readonly layout: 'table' | 'gallery';
}

/** Whether lists of the resource can be saved as views. */
export function hasSavedViews({ name }: Resource): boolean {
  const filter = resourceByName('views').filters.resource;
  return filter?.kind === 'choice' && filter.values?.includes(name) === true;
}

/** Whether a list of the resource can be shown as a gallery. */
export function hasGallery(resource: Resource): boolean {
  return presentationOf(resource).gallery !== undefined;
}

/** The columns that a list of the resource can have. Long texts are excluded. */
export function columnsOf(resource: Resource): readonly string[] {
  const fields = flattenFields(resource)
    .filter(([, { verbatim }]) => !verbatim)
    .map(([name]) => name);
  return [...fields, ...instants];
}

/** The columns that a list shows before others are chosen. */
export function defaultColumns(resource: Resource): readonly string[] {
  const known = columnsOf(resource);
  const chosen = presentationOf(resource).columns ?? [resource.titleField, 'status', 'updatedAt'];
  return titleFirst(
    resource,
    chosen.filter((column) => known.includes(column)),
  );
}

function titleFirst({ titleField }: Resource, columns: readonly string[]): readonly string[] {
  return [...new Set([titleField, ...columns])];
}

/** Reads the parameters of an address. What the list does not have is left out. */
export function readView(resource: Resource, search: Readonly<Record<string, string | undefined>>): View {
  const known = columnsOf(resource);
  const named = search.columns?.split(',').map(readColumn) ?? [];
  const columns = named.filter(({ name }) => known.includes(name));
  const filters = Object.entries(search).flatMap(([name, value]): [string, string][] =>
    value !== undefined && Object.hasOwn(filtersOf(resource), name) ? [[name, value]] : [],
  );
  return {
    savedId: search.view ?? '',
    search: search.search ?? '',
    sort: search.sort ?? '',
    filters: Object.fromEntries(filters),
    columns:
      columns.length > 0
        ? titleFirst(
            resource,
            columns.map(({ name }) => name),
          )
        : defaultColumns(resource),
    layout: search.layout === 'gallery' && hasGallery(resource) ? 'gallery' : 'table',
    widths: Object.fromEntries(columns.flatMap(({ name, width }) => (width === null ? [] : [[name, width]]))),
  };
}

/** The parameters of an address that shows the view. */
export function parametersOf(resource: Resource, view: View): Readonly<Record<string, string>> {
  const columns = view.columns.map((name) => writeColumn({ name, width: view.widths[name] ?? null })).join();
  const isDefault = columns === defaultColumns(resource).join();
  return {
    ...(view.savedId === '' ? {} : { view: view.savedId }),
    ...view.filters,
    ...(view.search === '' ? {} : { search: view.search }),
    ...(view.sort === '' ? {} : { sort: view.sort }),
    ...(isDefault ? {} : { columns }),
    ...(view.layout === 'table' ? {} : { layout: view.layout }),
  };
}

/** The view of the present address, and a function that changes it. */
export function useView(resource: Resource): [View, (change: Partial<View>) => void] {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const view = readView(resource, search);
  const change = (part: Partial<View>) => {
    const parameters = parametersOf(resource, { ...view, ...part });
    void navigate({ to: '.', search: parameters, replace: true, resetScroll: false });
  };
  return [view, change];
}

/** The query of the API for a view. Filters that have no value yet are left out. */
export function queryOf(resource: Resource, view: View): Readonly<Record<string, string>> {
  const filters = Object.entries(view.filters).filter(([, value]) => value !== '');
  const titles = [resource.titleField, ...(resource.titleFallbacks ?? [])];
  // What readers see is changed in a cell only after a question.
  const status = statusOf(resource);
  const statuses = status === null ? [] : [status.field];
  const { gallery } = presentationOf(resource);
  const pictures = view.layout === 'table' || gallery === undefined ? [] : [gallery.field];
  const states = resource.versions === undefined ? [] : ['state'];
  return {
    ...Object.fromEntries(filters),
    ...(view.search === '' ? {} : { search: view.search }),
    ...(view.sort === '' ? {} : { sort: view.sort }),
    // The version is for changes on condition that a record is still as it is shown. Sorted: another order of the columns is the same list.
    fields: [...new Set([...titles, ...view.columns, ...statuses, ...states, ...pictures, 'version'])]
      .sort()
      .join(','),
  };
}
