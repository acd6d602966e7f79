/** Limits of the identify call, which anyone on the web can make, and of how long its results are kept. */
export const visitorLimits = {
  /** Bytes of the body of an identify call. */
  identifyBodyBytes: 16_384,
  /** Levels of nesting in it: the body, its signals, their languages. */
  identifyBodyDepth: 4,
  /** Characters of a stored token as sent; ours are shorter, and longer text is not a token. */
  storedTokenCharacters: 256,
  /** Characters of a page's origin: scheme, a host name of 253 characters, port. */
  originCharacters: 267,
  /** Characters of a page's path. */
  pathCharacters: 1_024,
  /** Languages of a browser. */
  languages: 16,
  /** Characters of a language tag (BCP 47, section 4.4.1). */
  languageCharacters: 35,
  /** Characters of the name of a time zone. */
  timezoneCharacters: 64,
  /** Characters of the name of a platform. */
  platformCharacters: 64,
  /** Characters of a user agent that are parsed; the rest is cut off first. */
  userAgentCharacters: 1_024,
  /** Characters of a list of client hints that are parsed. */
  clientHintsCharacters: 512,
  /** Characters of the name of a browser and of an operating system. */
  browserNameCharacters: 40,
  /** Characters of a browser's version. */
  browserVersionCharacters: 24,
  /** Candidates that are counted: more of them do not change the decision. */
  candidates: 100,
  /** Days that a visitor is kept after it was last seen; a stored token expires with it. */
  visitorDays: 90,
  /** Days that a single identification is kept. */
  identificationDays: 30,
  /** Days within which a visitor with the same signals counts as seen recently. */
  recentMatchDays: 30,
  /** How many hours a visitor is kept who does not want to be recognized. */
  transientHours: 24,
} as const;
