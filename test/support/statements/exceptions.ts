/** The statements that the guard of `test/database/tenant-statements.test.ts` excuses, by name. An entry that is no longer needed fails it. */

const background = 'A worker finds or takes what is due in all organizations.';
const beforeOrganization = 'It finds the organization of what is presented, which is not known before.';
const ofPerson = 'It reads or ends what a person has in all organizations.';

/** Statements that read or write rows without `organization_id = $1` at some level, with the reason. */
export const acrossOrganizations: Readonly<Record<string, string>> = {
  // Identity, visitors
  publishable_key_origin: beforeOrganization,
  invitation_find_open: beforeOrganization,
  claim_lock_tokens: ofPerson,
  claim_lock_endpoints: ofPerson,
  claim_lock_invitations: ofPerson,
  session_note_use: ofPerson,
  session_renew_tokens: ofPerson,
  sessions_lock_tokens: ofPerson,
  sessions_revoke_tokens: ofPerson,
  session_organizations: ofPerson,
  sign_in_memberships: ofPerson,
  password_organization_names: ofPerson,
  user_status_organizations: ofPerson,
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
