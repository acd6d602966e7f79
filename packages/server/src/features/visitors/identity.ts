/**
 * Decides who a visitor is, how certain that is and what may be stored, from facts gathered before. The reasons are in
 * docs/decisions/0016-visitors.md.
 */
import type { Consent } from './signals.ts';

/** The facts. Ids are those of visitors that exist and belong to the site. */
export interface Evidence {
  /** The visitor of a valid stored token; null without one, and when that visitor was erased. */
  readonly token: string | null;
  /** Whether the visitor of the token was last seen with the same signals. */
  readonly tokenSignalsMatch: boolean;
  /** Visitors recently seen with the same signals. Empty when the signals are too few to hash. */
  readonly candidates: readonly string[];
  /** How many other visitors have the same signals but were not seen recently. */
  readonly olderMatches: number;
  readonly bot: boolean;
  /** See {@link mayStore}. */
  readonly mayStore: boolean;
}

/** The recognized visitor, and what may be stored. */
export interface Decision {
  /** A known visitor's id; null for a new random one. */
  readonly visitorId: string | null;
  /** Estimated probability, 0 to 1, that the id is the right one. */
  readonly score: number;
  /** `transient`: erased after 24 hours, and stored without the hash of the signals, so that nothing finds it again. */
  readonly store: 'full' | 'transient';
  /** Whether the browser is handed a stored token. */
  readonly giveToken: boolean;
}

const scores = { tokenAndSignals: 0.99, token: 0.95, signals: 0.6, new: 0.5, bot: 0 } as const;

/**
 * Whether the visitor may be recognized and kept: not after saying no on the page (DENIED), nor to every page (Global
 * Privacy Control, https://www.w3.org/TR/gpc/#the-sec-gpc-header-field-for-http-requests: exactly `1`).
 */
export function mayStore(consent: Consent, secGpc: string | string[] | undefined): boolean {
  const values = (Array.isArray(secGpc) ? secGpc : [secGpc ?? '']).flatMap((value) => value.split(','));
  return consent !== 'DENIED' && !values.some((value) => value.trim() === '1');
}

/** Decides from top to bottom; the first rule that applies wins. */
export function decideIdentity(evidence: Evidence): Decision {
  const { visitorId, score } = evidence.mayStore ? recognize(evidence) : unknownVisitor;
  return {
    visitorId,
    score: evidence.bot ? scores.bot : score,
    store: evidence.mayStore ? 'full' : 'transient',
    giveToken: evidence.mayStore,
  };
}

const unknownVisitor = { visitorId: null, score: scores.new } as const;

function recognize(evidence: Evidence): Pick<Decision, 'visitorId' | 'score'> {
  const { token, tokenSignalsMatch, candidates, olderMatches } = evidence;
  if (token !== null) {
    return { visitorId: token, score: tokenSignalsMatch ? scores.tokenAndSignals : scores.token };
  }
  const [only, ...others] = new Set(candidates);
  if (only === undefined || others.length > 0) return unknownVisitor;
  return { visitorId: only, score: scores.signals / (1 + Math.max(0, olderMatches)) };
}
