/** Languages, time zones and countries. Where `Intl` has a list, it is used, so that an update of Node updates it. */

/**
 * ISO 3166-1 alpha-2, officially assigned. `Intl` does not distinguish these from reserved, withdrawn and private
 * codes.
 */
const countries = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO ' +
    'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE ' +
    'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO ' +
    'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW ' +
    'PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM ' +
    'TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
);

const timeZones = new Set(Intl.supportedValuesOf('timeZone'));

/** The form of a name in the time zone database; `Intl` would also accept offsets and any letter case. */
const timeZoneName = /^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*)*$/;

/**
 * Canonicalizes a language tag (BCP 47): `en-us` becomes `en-US`, the old `iw` becomes `he`.
 *
 * @returns null when the tag is not well-formed.
 */
export function canonicalizeLocale(text: string): string | null {
  try {
    // `Intl.getCanonicalLocales` of V8 leaves two letters in lower case as they are, so that `bh` would stay, and `BH` become `bho`.
    return new Intl.Locale(text).toString();
  } catch {
    return null;
  }
}

/**
 * Whether the text is a zone of the IANA time zone database in its own letter case: `Europe/Kyiv`, `UTC`. Aliases of a
 * zone are accepted (`Asia/Kolkata` and `Asia/Calcutta`); offsets such as `+01:00` are not.
 */
export function isTimeZone(text: string): boolean {
  if (timeZones.has(text)) {
    return true;
  }
  if (!timeZoneName.test(text)) {
    return false;
  }
  try {
    // `Intl` returns the canonical name. The same letters in another case are a misspelling; different letters mean an
    // alias, whose letter case `Intl` does not know.
    const canonical = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
    return canonical === text || canonical.toLowerCase() !== text.toLowerCase();
  } catch {
    return false;
  }
}

/** Whether the text is an assigned ISO 3166-1 alpha-2 code in upper case. */
export function isCountry(text: string): boolean {
  return countries.has(text);
}
