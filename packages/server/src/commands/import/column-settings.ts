/** Options with a setting for all columns, or for one: `--lists replace`, `--lists "Tags=replace"`. */
import type { ColumnChoices, ColumnSettings } from '@trellis/importer/columns.ts';
import { UsageError } from '@trellis/importer/errors.ts';

/** The values of one option. */
export type SettingsByColumn = Pick<ColumnChoices, 'allColumns' | 'columnSettings'>;

const none: SettingsByColumn = { allColumns: {}, columnSettings: {} };

/** Collects the values of an option, which may be repeated. @param values those that it takes */
export function collectSettings<Name extends keyof ColumnSettings>(
  name: Name,
  values: readonly NonNullable<ColumnSettings[Name]>[],
): (text: string, before: SettingsByColumn | undefined) => SettingsByColumn {
  return (text, before = none) => {
    const at = text.lastIndexOf('=');
    const column = text.slice(0, Math.max(at, 0)).trim();
    const given = text.slice(at + 1).trim();
    const value = values.find((one) => one === given);
    if (value === undefined || (at >= 0 && column === '')) {
      const known = values.map((one) => `"${one}"`).join(' or ');
      throw new UsageError(
        `--${name} takes ${known}, or COLUMN=${values.at(-1)} for one column, not "${text}".`,
      );
    }
    return joinSettings([
      before,
      at < 0
        ? { allColumns: { [name]: value }, columnSettings: {} }
        : { allColumns: {}, columnSettings: { [column]: { [name]: value } } },
    ]);
  };
}

/** Collects `COLUMN=VALUE=OTHER`, which may be repeated: what a value of a column stands for, without OTHER nothing. @throws UsageError */
export function collectValues(text: string, before: SettingsByColumn = none): SettingsByColumn {
  const [first, last] = [text.indexOf('='), text.lastIndexOf('=')];
  const [column, value, other] = [
    text.slice(0, first),
    text.slice(first + 1, last),
    text.slice(last + 1),
  ].map((part) => part.trim());
  if (first < 1 || first === last || !column || !value)
    throw new UsageError(`--values takes COLUMN=VALUE=OTHER, for example "Stage=Hot=LEAD", not "${text}".`);
  const values = { ...before.columnSettings[column]?.values, [value]: other || null };
  return joinSettings([before, { allColumns: {}, columnSettings: { [column]: { values } } }]);
}

/** The settings of several options. */
export function joinSettings(all: readonly (SettingsByColumn | undefined)[]): SettingsByColumn {
  return all.reduce<SettingsByColumn>((joined, settings = none) => {
    const columns = new Map(Object.entries(joined.columnSettings));
    for (const [column, more] of Object.entries(settings.columnSettings)) {
      columns.set(column, { ...columns.get(column), ...more });
    }
    return {
      allColumns: { ...joined.allColumns, ...settings.allColumns },
      columnSettings: Object.fromEntries(columns),
    };
  }, none);
}
