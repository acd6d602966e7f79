/** The statements that the guard of `test/database/tenant-statements.test.ts` excuses, by name. An entry that is no longer needed fails it. */

const background = 'A worker finds or takes what is due in all organizations of a database, or of a shard.';
const beforeOrganization = 'It finds the organization of what is presented, which is not known before.';
const ofPerson = 'It reads or ends what a person has in all organizations.';

/** Statements that take an advisory lock which is that of no organization, by their names. */
export const locksOfInstallation: Readonly<Record<string, string>> = {
  advisory_lock_everywhere:
    'Names that are unique in all organizations; what creates them goes through the coordinator.',
  lock_content:
    'The lock of backups, beside that of the organization; the sweep goes through the coordinator.',
  delete_expired_idempotency_keys: 'One sweep at a time in a database or a shard.',
  sweep_identifications: 'One sweep at a time in a database or a shard.',
  sweep_visitors: 'One sweep at a time in a database or a shard.',
};

/** Statements that read or write rows without `organization_id = $1` at some level, with the reason. */
export const acrossOrganizations: Readonly<Record<string, string>> = {
  // Identity, visitors
  publishable_key_origin: beforeOrganization,
  invitation_find_open: beforeOrganization,
  invitation_find_open_in:
    'It names the organization in which the invitation was found as $2: $1 is the secret.',
  claim_lock_tokens: ofPerson,
  claim_lock_endpoints: ofPerson,
  claim_lock_invitations: ofPerson,
  claim_lock_tokens_there: ofPerson,
  claim_lock_endpoints_there: ofPerson,
  claim_lock_invitations_there: ofPerson,
  sessions_lock_tokens_there: ofPerson,
  session_find_entered: ofPerson,
  session_note_use: ofPerson,
  session_renew_tokens: ofPerson,
  sessions_lock_tokens: ofPerson,
  sessions_revoke_tokens: ofPerson,
  session_organizations: ofPerson,
  sign_in_memberships: ofPerson,
  sign_in_memberships_there: ofPerson,
  organizations_of_person_find: ofPerson,
  password_organization_names: ofPerson,
  // Webhooks
  fan_out_webhooks: background,
  erase_webhook_responses: background,
  visit_webhook_endpoints: background,
  lock_due_webhooks: background,
  refuse_hidden_webhook_deliveries: background,
  claim_webhook_deliveries: background,
  delete_old_webhook_deliveries: background,
  find_orphaned_webhook_deliveries: background,
  // Sweeps, queues
  find_erasures: background,
  delete_old_changes: background,
  delete_expired_idempotency_keys: background,
  sweep_identifications: background,
  sweep_visitors: background,
  sign_in_sweep_0: background,
  find_due_trash: background,
  claim_article_timers: background,
  claim_file_timers: background,
  claim_extraction_job: background,
  due_search_organizations: background,
  // Events
  read_outbox: background,
  measure_outbox: background,
  move_to_log: background,
  read_sink_backlogs: background,
  move_sink_cursors: background,
};

const onShards = 'Background work sends it to the tables of a shard themselves, where Citus refuses nothing.';

/** Statements with a construct that Citus refuses, with the reason. */
export const refusedByCitus: Readonly<Record<string, string>> = {
  claim_webhook_deliveries: onShards,
  note_webhook_failure: onShards,
  sweep_identifications: onShards,
  sweep_visitors: onShards,
  delete_expired_idempotency_keys: onShards,
  refuse_hidden_webhook_deliveries: onShards,
  move_to_log: onShards,
};
