/** Which test files the soak runs. */
import { readFileSync } from 'node:fs';

/**
 * Files that only the soak runs, beside those in `test/soak`. Each takes more than ten seconds of processor time with what it
 * starts, at any length, and few changes concern it: run it by name when you change what it tests.
 */
export const onlyInSoak: readonly string[] = [
  // Hostile documents and pictures, each in an extraction process of its own up to its limits of time and memory.
  'test/knowledge/hostile-contents.test.ts',
  'test/knowledge/extraction-hostile.test.ts',
  'test/knowledge/extraction-growth.test.ts',
  'test/knowledge/interrupted-extraction.test.ts',
  // Starts of whole servers with their databases and the demo, several at once, and servers that are stopped and killed.
  'test/cli/serve.test.ts',
  'test/cli/demo.test.ts',
  // Builds the published package, and installs and runs it.
  'test/cli/package.test.ts',
  // Builds the container image on a base of Debian's packages.
  'test/cli/container.test.ts',
  // Needs systemd-analyze.
  'test/cli/systemd.test.ts',
  'test/faults/kill-server.test.ts',
  'test/faults/kill-backup.test.ts',
  'test/faults/kill-organization-import.test.ts',
  'test/nodes/workers.test.ts',
  'test/nodes/nodes.test.ts',
  'test/database/embedded.test.ts',
  'test/faults/failover.test.ts',
  'test/faults/replicas.test.ts',
  // Pages of the console in Chromium. `npm test` has those of signing in, and what is below the pages.
  'test/console/accessibility-dialogs.test.ts',
  'test/console/accessibility-forms.test.ts',
  'test/console/accessibility-menus.test.ts',
  'test/console/accessibility-pages.test.ts',
  'test/console/accessibility-records.test.ts',
  'test/console/article-rules.test.ts',
  'test/console/articles.test.ts',
  'test/console/bulk.test.ts',
  'test/console/calendar.test.ts',
  'test/console/categories.test.ts',
  'test/console/cells.test.ts',
  'test/console/columns.test.ts',
  'test/console/creation.test.ts',
  'test/console/crm.test.ts',
  'test/console/draft-token.test.ts',
  'test/console/ended-session.test.ts',
  'test/console/filters.test.ts',
  'test/console/first-use.test.ts',
  'test/console/home.test.ts',
  'test/console/home-cost.test.ts',
  'test/console/form-sections.test.ts',
  'test/console/hostile-articles.test.ts',
  'test/console/hostile-html.test.ts',
  'test/console/idle.test.ts',
  'test/console/import.test.ts',
  'test/console/invitation.test.ts',
  'test/console/in-the-way.test.ts',
  'test/console/issues.test.ts',
  'test/console/keyboard.test.ts',
  'test/console/knowledge.test.ts',
  'test/console/paste.test.ts',
  'test/console/pictures.test.ts',
  'test/console/live.test.ts',
  'test/console/long-list.test.ts',
  'test/console/many-conflicts.test.ts',
  'test/console/names.test.ts',
  'test/console/preview-links.test.ts',
  'test/console/questions.test.ts',
  'test/console/read-only.test.ts',
  'test/console/records.test.ts',
  'test/console/refused.test.ts',
  'test/console/restoring.test.ts',
  'test/console/rounds.test.ts',
  'test/console/service-members.test.ts',
  'test/console/sessions.test.ts',
  'test/console/settings.test.ts',
  'test/console/shared-browser.test.ts',
  'test/console/step-up.test.ts',
  'test/console/trash.test.ts',
  'test/console/views.test.ts',
  'test/console/waiting.test.ts',
  'test/console/webhooks.test.ts',
  // Downloads Prometheus for its promtool.
  'test/deploy/alert-rules.test.ts',
  // Linters over the whole document and all operations.
  'test/http/openapi-linters.test.ts',
  'test/client/installed-client.test.ts',
];

/** Whether `npm test` leaves a file to the soak. */
export function isOnlyInSoak(file: string): boolean {
  return runsAlone(file) || onlyInSoak.includes(file);
}

/** Whether a file measures what others would disturb. */
export function runsAlone(file: string): boolean {
  return file.startsWith('test/soak/');
}

/**
 * Whether a soak does more of a file than `npm test`. The file says so by its import of `soak.ts`, or of `console.ts`, with
 * which a soak looks at each page in light and dark, wide and narrow.
 */
export function isLongerInSoak(file: string): boolean {
  return isOnlyInSoak(file) || /\/support\/(?:soak|console)\.ts/.test(readFileSync(file, 'utf8'));
}
