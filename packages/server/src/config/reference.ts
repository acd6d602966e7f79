/** Why: the page that tells of all settings is made of their list, so that it cannot differ from what is read. */
import { settings } from './config.ts';
import type { Setting } from './setting.ts';

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
    'Trellis is configured by environment variables. A file `.env` in the working directory is read too; real variables',
    'win. All faults are listed at once when a command starts, and an unknown `TRELLIS_` name is one of them. The options',
    '`--port`, `--host`, `--data-dir`, `--roles` and `--workers` win over the variables of the same meaning.',
    '',
    '| variable | form | when not set | meaning |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
