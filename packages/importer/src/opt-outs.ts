/**
 * Columns and files that look like a list of people who do not want to be contacted, and rows that are deleted where they come from.
 * A lost opt-out harms somebody, so what is not understood is asked.
 */
import { simplify } from './columns.ts';
import { readOptOut } from './convert.ts';
import type { SourceRow } from './source.ts';

/** Names that say something about consent, in the languages of the exports, in the form of `simplify`. */
const optOutName =
  /unsub|opt(?:ed)?(?:out|in)|donot(?:call|mail|email|contact|sms|text|phone|fax|disturb|track)|^nocall|dnc|suppress|blacklist|blocklist|gdpr|dsgvo|rgpd|consent|subscri|newsletter|accepts\w*marketing|emails?disabled|marketing(?:permission|consent|preference)|mailing|abgemeldet|abmeld|widerspr|keine(?:werbung|mails?|kontakt|anruf)|kontaktsperre|werbesperre|nicht(?:kontakt|anruf|anschreib)|einwillig|d[ée]sabonn|d[ée]sinscri|nepas(?:contacter|appeler)|consentement|consentimiento|consenso|darsedebaja|nocontactar|noncontattare|disiscri|uitgeschreven|afgemeld|toestemming/;

/** Names that match, and say when or why something else says that somebody has opted out, or how an account is paid. */
const knownNames = new Set([
  'unsubreason',
  'unsubreasonother',
  'unsubcampaigntitle',
  'unsubcampaignid',
  'optintime',
  'optinip',
  'optedintime',
  'confirmtime',
  'mailingstate',
  'mailinglatitude',
  'mailinglongitude',
  'mailinggeocodeaccuracy',
  'mailingaddress',
]);

/** Whether the name of a column looks like one of opt-outs or of consent. */
export function looksLikeOptOut(column: string): boolean {
  const name = simplify(column);
  return optOutName.test(name) && !knownNames.has(name);
}

/** Values of a status, in the exports of systems for newsletters, which say that somebody is not written to any more. */
const optOutStatus =
  /^(?:unsubscribed?|opt(?:ed)?[-_ ]?out|cleaned|(?:hard[-_ ]?)?bounced?|complain(?:ed|t)|(?:marked[-_ ]as[-_ ])?spam|junk|suppressed|blocked|bla?cklisted|blocklisted|abgemeldet|ausgetragen|gesperrt|désabonnée?|désinscrite?|desuscrito|baja|disiscritt[oa]|uitgeschreven|afgemeld)$/i;

/** Whether a cell is a status that says so: `Unsubscribed` in a column `Status`. */
export function isOptOutStatus(column: string, value: unknown): boolean {
  return /(?:status|statut|stato|estado)$/.test(simplify(column)) && optOutStatus.test(String(value).trim());
}

/** Asks what to do with such a column. */
export function describeOptOut(column: string): string {
  const to = (field: string) => `--map "${column}=${field}"`;
  return `The column "${column}" looks like one of people who do not want to be contacted, and is not understood. Map it to doNotContact (${to('doNotContact')}), where a yes or a date means that they do not, or to acceptsMarketing (${to('acceptsMarketing')}), where a no does, or skip it (${to('')}).`;
}

/** Names of files with people who have all opted out, such as the three lists of Mailchimp. */
const optOutFile =
  /(?:^|[^a-z])(?:unsubscribe[ds]?|cleaned|opt(?:ed)?[-_ ]?outs?|suppress(?:ed|ions?)|do[-_ ]?not[-_ ]?(?:contact|call|e?mail)|abgemeldet|desabonnes?)(?:[^a-z]|$)/i;

/** The column that a reader adds to files with such a name, whose value is the name. */
export const optOutColumn = '(list of opt-outs)';

/** The name of a file as a value of that column; null for other files. @param path with any folders */
export function nameOptOutFile(path: string): string | null {
  const name = path.split(/[/\\]/).at(-1) ?? path;
  return optOutFile.test(name) ? name : null;
}

/** Columns that say whether a row is deleted: a flag or a date. */
const deletedNames = new Set([
  'isdeleted',
  'deleted',
  'deletedat',
  'deletedon',
  'deletedtime',
  'datedeleted',
  'trashed',
  'gelöscht',
  'gelöschtam',
  'supprimé',
  'eliminado',
  'eliminato',
  'verwijderd',
]);
/** Columns with a status that may be that of the trash. */
const statusNames = new Set(['status', 'poststatus', 'state', 'recordstatus']);
const deletedStatus = /^(?:trash|trashed|deleted|gelöscht|papierkorb)$/i;

/** Whether a column says that rows are deleted. */
export function isDeletionColumn(column: string): boolean {
  return deletedNames.has(simplify(column));
}

/** Whether a row is deleted where it comes from. @param isDecided whether a person has chosen what becomes of a column */
export function isDeletedRow({ fields }: SourceRow, isDecided: (column: string) => boolean): boolean {
  for (const [column, value] of fields) {
    const name = simplify(column);
    const isStatus = statusNames.has(name) && typeof value === 'string' && deletedStatus.test(value.trim());
    if ((isStatus || (isDeletionColumn(column) && readOptOut(value) === true)) && !isDecided(column))
      return true;
  }
  return false;
}
