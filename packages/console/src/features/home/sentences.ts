/** Which sentence says what was done, by types of events. Each type has one, or is left out. */
import type { texts } from './texts.ts';

/** The name of a sentence. */
export type SentenceId = keyof typeof texts;

/** What a sentence is about. */
export interface Deed {
  /** Singular name of the resource. */
  readonly resource: string;
  /** The last parts of the types of events, the newest first. */
  readonly actions: readonly string[];
  /** Whether it is one record that is called by its title. */
  readonly isNamed: boolean;
  /** Whether a member did it to itself, or the system did it. */
  readonly isOwn: boolean;
}

/** A sentence with `{name}` who did it, and `{what}` it was done to. */
export interface Sentence {
  readonly id: SentenceId;
  /** What `{done}` in it lists. */
  readonly verbs: readonly SentenceId[];
}

/** Changes of accounts, and automatic follow-up steps, are in the complete log only. */
const leftOut = /^session\.|^member\.(link_redeemed|factor_|password_)|\.ready$/;

/** Whether home says nothing of events of a type. */
export function isLeftOut(type: string): boolean {
  return leftOut.test(type);
}

/** Sentences by types: of a record with a title, and of one without or several. */
const own: Readonly<Record<string, readonly [named: SentenceId, others: SentenceId]>> = {
  'member.created': ['memberAdded', 'memberAdded'],
  'member.deleted': ['memberRemoved', 'memberRemoved'],
  'member.account_disabled': ['accountDisabled', 'accountDisabled'],
  'member.account_enabled': ['accountEnabled', 'accountEnabled'],
  'invitation.created': ['invited', 'invitationsSent'],
  'invitation.resent': ['invitedAgain', 'invitationsSent'],
  'invitation.accepted': ['invitationAccepted', 'invitationsAccepted'],
  'invitation.revoked': ['invitationRevoked', 'invitationsRevoked'],
  'webhook-endpoint.disabled': ['endpointStopped', 'endpointStopped'],
  'knowledge-file.published': ['madePublic', 'madePublic'],
  'knowledge-file.unpublished': ['takenBack', 'takenBack'],
  'knowledge-file.failed': ['notRead', 'notRead'],
  'article.schedule_failed': ['notChanged', 'notChanged'],
  'visitor.erased': ['visitorErased', 'visitorErased'],
};

/** Participles of the sentence that lists several, by actions of any resource. */
const verbs: Readonly<Record<string, SentenceId>> = {
  created: 'created',
  updated: 'updated',
  deleted: 'deleted',
  restored: 'restored',
  purged: 'purged',
  submitted: 'submitted',
  returned: 'sentBack',
  approved: 'approved',
  published: 'madeLive',
  unpublished: 'unpublished',
  scheduled: 'planned',
};

/** The sentence of a type of events; null if it has none. */
function sentenceOfType({ resource, isNamed, isOwn }: Deed, action: string): Sentence | null {
  const type = `${resource}.${action}`;
  if (type === 'member.created' && isOwn) return { id: isNamed ? 'joined' : 'othersJoined', verbs: [] };
  const id = own[type]?.[isNamed ? 0 : 1];
  if (id !== undefined) return { id, verbs: [] };
  const verb = verbs[action];
  return verb === undefined ? null : { id: 'did', verbs: [verb] };
}

/** The sentence of what was done; null where there is one for no type of it. */
export function findSentence(deed: Deed): Sentence | null {
  const found = deed.actions.flatMap((action) => sentenceOfType(deed, action) ?? []);
  const [newest, ...others] = found;
  if (newest === undefined) return null;
  if (found.every(({ id }) => id === 'did'))
    return { id: 'did', verbs: found.toReversed().flatMap((one) => one.verbs) };
  // One record: its latest action. Several: that action concerns only some of them, so the sentence says "updated".
  return deed.isNamed || others.length === 0 ? newest : { id: 'did', verbs: ['updated'] };
}
