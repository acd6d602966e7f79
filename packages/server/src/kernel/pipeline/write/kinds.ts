/**
 * The table of steps and kinds of write: which steps each kind omits, and why. The types of plans follow from it: a plan with a part for an
 * omitted step does not compile.
 */

/** The steps of a write, in their order. */
export const writeSteps = [
  'authorize',
  'claimKey',
  'lockRecord',
  'findParent',
  'checkPrecondition',
  'checkReferences',
  'decide',
  'checkTransition',
  'confirm',
  'countDeletion',
  'change',
  'appendEvent',
  'storeResponse',
] as const;
export type WriteStep = (typeof writeSteps)[number];

/** A reason for each step that a kind of write omits. */
type Omissions = Readonly<Partial<Record<WriteStep, string>>>;

/** All kinds of write, with the steps that each omits. */
export const omissions = {
  create: {
    lockRecord: 'There is no record yet.',
    checkPrecondition: 'There is no version yet that a caller could name.',
    countDeletion: 'Nothing is deleted.',
  },
  update: {
    findParent: 'The record is found below its parent.',
    countDeletion: 'Nothing is deleted.',
  },
  // Restore a version, upload content, extract a text again, rotate a secret.
  action: {
    findParent: 'The record is found below its parent.',
    checkReferences:
      'There is no body with references; references that an action copies are checked by its own decision.',
    countDeletion: 'Nothing is deleted.',
  },
  // Send a test event, retry a delivery, replay events.
  command: {
    findParent: 'The record is found below its parent.',
    checkReferences: 'There is no body with references.',
    checkTransition: 'The record does not change.',
    confirm: 'Nothing outside the database is involved.',
    countDeletion: 'Nothing is deleted.',
    appendEvent: 'The record does not change.',
  },
  delete: {
    findParent: 'The record is found below its parent.',
    checkReferences:
      'A deletion adds no references. Foreign keys detect records that still refer to this one.',
    confirm: 'Nothing outside the database is involved.',
  },
  // Erase a visitor, end a session.
  erasure: {
    findParent: 'What is erased belongs to the organization.',
    checkReferences: 'A deletion adds no references.',
    checkTransition: 'What is erased was not published.',
    confirm: 'Nothing outside the database is involved.',
  },
  // Timed changes, extracted texts, endpoints that are disabled.
  system: {
    authorize: 'There is no caller. The user who requested the change had the right to.',
    claimKey: 'The timer or job is removed by the same transaction.',
    findParent: 'The record is found below its parent.',
    checkPrecondition: 'There is no caller that could name a version.',
    checkReferences: 'There is no body with references.',
    checkTransition: 'The user who set the time had the right to publish.',
    confirm: 'Nothing outside the database is involved.',
    countDeletion: 'There is no session.',
    storeResponse: 'There is no caller that waits for a response.',
  },
  // Organizations, members, clients and tokens, on the command line.
  administration: {
    authorize: 'An operator has the password of the database role.',
    claimKey: 'Keys, addresses and names are unique, so a repeated command returns what exists.',
    checkPrecondition: 'There is no caller that could name a version.',
    findParent: 'The organization is that of the transaction.',
    checkReferences:
      'The command finds what it refers to, and foreign keys detect what is deleted meanwhile.',
    checkTransition: 'Users and their tokens are not published.',
    confirm: 'Nothing outside the database is involved.',
    countDeletion: 'An operator has no session.',
    storeResponse: 'Commands have no idempotency key.',
  },
} as const satisfies Readonly<Record<string, Omissions>>;

export type WriteKind = keyof typeof omissions;

/** The steps that a kind of write omits. */
export type OmittedStep<K extends WriteKind> = keyof (typeof omissions)[K];

/** The kinds of write that have a step. */
export type KindWith<S extends WriteStep> = {
  [K in WriteKind]: S extends OmittedStep<K> ? never : K;
}[WriteKind];

/** Whether writes of a kind have a step. */
export function hasStep(kind: WriteKind, step: WriteStep): boolean {
  return !(step in omissions[kind]);
}
