/** The reference page of all settings, made from the same list that they are read from. */

import type { Setting } from './setting.ts';
import { settings } from './settings.ts';

/** The reference page, as Markdown. */
export function renderConfigurationReference(): string {
  const rows = Object.values<Setting<unknown>>(settings).map(
    ({ name, form, default: fallback, absent, description }) => {
      return `| \`${name}\` | ${form} | ${fallback === null ? absent : `\`${fallback}\``} | ${description} |`;
    },
  );
  return [
    '# Configuration',
    '',
    'Trellis is configured by environment variables. A file `.env` in the working directory is read too; real variables take',
    'precedence. When a command starts, all faults are listed at once, including unknown `TRELLIS_` names. The options',
    '`--port`, `--host`, `--data-dir`, `--roles` and `--workers` take precedence over their variables.',
    '',
    '| variable | form | when not set | meaning |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
