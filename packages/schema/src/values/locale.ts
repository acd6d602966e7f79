/** Languages, time zones and countries. Where `Intl` has a list, it is used, so that an update of Node updates it. */

/**
 * ISO 3166-1 alpha-2, officially assigned. `Intl` does not distinguish these from reserved, withdrawn and private
 * codes.
 */
export const countryCodes: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO ' +
  'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE ' +
  'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO ' +
  'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW ' +
  'PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM ' +
  'TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
).split(' ');

const countries = new Set(countryCodes);

const timeZones = new Map(Intl.supportedValuesOf('timeZone').map((name) => [name.toLowerCase(), name]));

/** The form of a name in the time zone database; `Intl` would also accept offsets. */
const timeZoneName = /^[a-z][a-z0-9_+-]*(?:\/[a-z][a-z0-9_+-]*)*$/i;

/** Longer than any name of a zone or language tag that is in use: `Intl` needs a time that grows with the square of the length. */
const longestName = 100;

/** Parts of the names of zones that are written otherwise than with a capital at the beginning of each word. */
const zoneParts = new Map(
  (
    'UTC UCT GMT GMT0 EST EDT CST MST HST PST CET EET MET WET EST5EDT CST6CDT MST7MDT PST8PDT GB NZ NZ-CHAT PRC ROC ROK W-SU US ' +
    'GB-Eire ACT NSW LHI EasterIsland BajaNorte BajaSur ComodRivadavia DumontDUrville McMurdo Knox_IN Dar_es_Salaam ' +
    'Port_of_Spain Isle_of_Man Port-au-Prince DeNoronha'
  )
    .split(' ')
    .map((part) => [part.toLowerCase(), part]),
);

/** Languages within another one (extlang, RFC 5646, 2.2.2) follow these. Such a language stands alone in the canonical form (4.5). */
const extendedLanguage = /^(?:ar|kok|lv|ms|sgn|sw|uz|zh)-([a-z]{3})(?=-|$)/;

/** Grandfathered tags that `Intl` does not know, with their preferred values of the IANA registry. */
const grandfathered = new Map([
  ['en-gb-oed', 'en-GB-oxendict'],
  ['i-ami', 'ami'],
  ['i-bnn', 'bnn'],
  ['i-hak', 'hak'],
  ['i-klingon', 'tlh'],
  ['i-lux', 'lb'],
  ['i-navajo', 'nv'],
  ['i-pwn', 'pwn'],
  ['i-tao', 'tao'],
  ['i-tay', 'tay'],
  ['i-tsu', 'tsu'],
  ['no-bok', 'nb'],
  ['no-nyn', 'nn'],
  ['sgn-be-fr', 'sfb'],
  ['sgn-be-nl', 'vgt'],
  ['sgn-ch-de', 'sgg'],
  ['zh-min-nan', 'nan'],
]);

/** The variants of a tag in lower case, before its extensions: `-1996`, `-petr1708`. */
const variants = /-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3})(?=-|$)/g;

/**
 * Canonicalizes a language tag (BCP 47): `en-us` becomes `en-US`, the old `iw` becomes `he`, `zh-yue` becomes `yue`.
 *
 * @returns null when the tag is not well-formed.
 */
export function canonicalizeLocale(text: string): string | null {
  if (text.length > longestName) return null;
  const written = text.toLowerCase();
  const tag = grandfathered.get(written) ?? written.replace(extendedLanguage, '$1');
  try {
    // `Intl.getCanonicalLocales` of V8 leaves two letters in lower case as they are, so that `bh` would stay, and `BH` become `bho`.
    const canonical = new Intl.Locale(tag);
    const [main = '', extensions = ''] = tag
      .split(/(?=-[a-z0-9]-)/, 1)
      .flatMap((part) => [part, tag.slice(part.length)]);
    const names = main.match(variants) ?? [];
    if (names.length === 0) return canonical.toString();
    const plain = new Intl.Locale(main.replace(variants, ''));
    // ICU takes some variants for a script: `petr1708` becomes `Petr`.
    return plain.script === canonical.script
      ? canonical.toString()
      : `${plain.baseName}${names.sort().join('')}${extensions}`;
  } catch {
    return null;
  }
}

/**
 * The name of a zone of the IANA time zone database in its own letter case: `ETC/UTC` is `Etc/UTC`. An alias of a zone stays as it is
 * (`Asia/Kolkata` and `Asia/Calcutta`), since the database changes which of them is the main name.
 *
 * @returns null for other text, also for offsets such as `+01:00`.
 */
export function canonicalizeTimeZone(text: string): string | null {
  if (text.length > longestName || !timeZoneName.test(text)) return null;
  const written = text.toLowerCase();
  const known = timeZones.get(written);
  if (known !== undefined) return known;
  const name = written.split('/').map(capitalizeZone).join('/');
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name;
  } catch {
    return null;
  }
}

function capitalizeZone(part: string): string {
  const special = zoneParts.get(part.replace(/[+-]\d+$/, ''));
  if (special !== undefined) return special + (/[+-]\d+$/.exec(part)?.[0] ?? '');
  return part.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());
}

/** Whether the text is an assigned ISO 3166-1 alpha-2 code in upper case. */
export function isCountry(text: string): boolean {
  return countries.has(text);
}
