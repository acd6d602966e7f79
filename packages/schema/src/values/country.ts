/**
 * Countries as people write them: by name, in the languages of the product or the country's own, or by a code of ISO 3166-1 or of the
 * plates of cars. Stored are two letters.
 */
import { countryNames } from './country-names.ts';
import { removeInvisible } from './invisible.ts';
import { countryCodes } from './locale.ts';
import { foldText, nearestName, quoteName } from './text.ts';

/** ISO 3166-1 alpha-3, in the order of `countryCodes`. */
const alpha3 = (
  'AND ARE AFG ATG AIA ALB ARM AGO ATA ARG ASM AUT AUS ABW ALA AZE BIH BRB BGD BEL BFA BGR BHR BDI BEN BLM BMU ' +
  'BRN BOL BES BRA BHS BTN BVT BWA BLR BLZ CAN CCK COD CAF COG CHE CIV COK CHL CMR CHN COL CRI CUB CPV CUW CXR ' +
  'CYP CZE DEU DJI DNK DMA DOM DZA ECU EST EGY ESH ERI ESP ETH FIN FJI FLK FSM FRO FRA GAB GBR GRD GEO GUF GGY ' +
  'GHA GIB GRL GMB GIN GLP GNQ GRC SGS GTM GUM GNB GUY HKG HMD HND HRV HTI HUN IDN IRL ISR IMN IND IOT IRQ IRN ' +
  'ISL ITA JEY JAM JOR JPN KEN KGZ KHM KIR COM KNA PRK KOR KWT CYM KAZ LAO LBN LCA LIE LKA LBR LSO LTU LUX LVA ' +
  'LBY MAR MCO MDA MNE MAF MDG MHL MKD MLI MMR MNG MAC MNP MTQ MRT MSR MLT MUS MDV MWI MEX MYS MOZ NAM NCL NER ' +
  'NFK NGA NIC NLD NOR NPL NRU NIU NZL OMN PAN PER PYF PNG PHL PAK POL SPM PCN PRI PSE PRT PLW PRY QAT REU ROU ' +
  'SRB RUS RWA SAU SLB SYC SDN SWE SGP SHN SVN SJM SVK SLE SMR SEN SOM SUR SSD STP SLV SXM SYR SWZ TCA TCD ATF ' +
  'TGO THA TJK TKL TLS TKM TUN TON TUR TTO TUV TWN TZA UKR UGA UMI USA URY UZB VAT VCT VEN VGB VIR VNM VUT WLF ' +
  'WSM YEM MYT ZAF ZMB ZWE'
).split(' ');

/** Names in use that CLDR does not have: formal ones of ISO 3166-1, former and short ones, parts of a country, and the plates of cars. */
const furtherNames: Readonly<Record<string, string>> = {
  AE: 'UAE|VAE|Emirates',
  AT: 'A',
  BA: 'Bosnia-Herzegovina|Bosnien',
  BE: 'B',
  BN: 'Brunei Darussalam',
  BO: 'Bolivia (Plurinational State of)',
  BQ: 'Bonaire, Sint Eustatius and Saba',
  BS: 'The Bahamas',
  BY: 'Weißrussland|Belorussia',
  CC: 'Cocos (Keeling) Islands',
  CD: 'Congo, Democratic Republic of the|Demokratische Republik Kongo|DR Congo|DR Kongo|DRC|Zaire|Congo-Kinshasa|Congo (DRC)|Congo (Kinshasa)',
  CG: 'Republic of the Congo|Republik Kongo|Congo-Brazzaville|Congo (Brazzaville)',
  CI: 'Ivory Coast|Elfenbeinküste',
  CN: "People's Republic of China|Volksrepublik China|PRC|VR China|Mainland China",
  CV: 'Cape Verde|Kap Verde',
  CZ: 'Czech Republic|Tschechische Republik|Česká republika',
  DE: 'D|BRD|Federal Republic of Germany|Bundesrepublik Deutschland',
  DK: 'Kingdom of Denmark',
  ES: 'E|Kingdom of Spain|Spanien (Königreich)',
  FI: 'FIN',
  FK: 'Falkland Islands (Malvinas)|Malvinas',
  FM: 'Micronesia, Federated States of|Federated States of Micronesia',
  FR: 'F|French Republic|République française',
  GB: 'United Kingdom of Great Britain and Northern Ireland|Great Britain|Britain|England|Scotland|Wales|Northern Ireland|Großbritannien|Schottland|Nordirland|GBR|UK',
  GM: 'The Gambia|Republic of The Gambia',
  HK: 'Hongkong|Hong Kong SAR',
  HU: 'H',
  IE: 'Republic of Ireland|Irish Republic|Republik Irland|Éire',
  IR: 'Iran, Islamic Republic of|Islamic Republic of Iran|Persia',
  IT: 'I|Italian Republic',
  KP: "Korea, Democratic People's Republic of|DPRK|Demokratische Volksrepublik Korea",
  KR: 'Korea, Republic of|Republik Korea|Korea (South)',
  LA: "Lao People's Democratic Republic|Lao PDR",
  LI: 'FL',
  LU: 'L',
  MD: 'Moldova, Republic of|Moldawien|Republik Moldau',
  MK: 'Macedonia|Mazedonien|Macedonia, the former Yugoslav Republic of|Republic of North Macedonia|FYROM',
  MM: 'Burma|Birma|Myanmar',
  MO: 'Macao|Macau',
  NL: 'Holland|The Netherlands|Kingdom of the Netherlands|Die Niederlande|Netherlands (Kingdom of the)',
  NO: 'N|Kingdom of Norway',
  PL: 'Republic of Poland',
  PN: 'Pitcairn',
  PS: 'Palestine, State of|State of Palestine|Staat Palästina|Palästina|Palestine',
  PT: 'P',
  RU: 'Russian Federation|Russische Föderation|Российская Федерация',
  SE: 'S|Kingdom of Sweden',
  SI: 'SLO',
  SH: 'Saint Helena, Ascension and Tristan da Cunha',
  SK: 'Slovak Republic|Slowakische Republik',
  SX: 'Sint Maarten (Dutch part)',
  MF: 'Saint Martin (French part)',
  SY: 'Syrian Arab Republic',
  SZ: 'Swaziland|Swasiland',
  TL: 'East Timor|Osttimor|Timor-Leste',
  TR: 'Turkey|Turkiye|Republic of Türkiye',
  TW: 'Taiwan, Province of China|Republic of China|ROC',
  TZ: 'Tanzania, United Republic of|United Republic of Tanzania',
  US: 'United States of America|USA|US|America|Amerika|Vereinigte Staaten von Amerika|The United States|The States|Estados Unidos|États-Unis',
  VA: 'Holy See|Vatican|Vatikan|Heiliger Stuhl',
  VE: 'Venezuela, Bolivarian Republic of',
  VG: 'Virgin Islands, British',
  VI: 'Virgin Islands, U.S.',
  VN: 'Viet Nam|Socialist Republic of Vietnam',
};

/** Longer than any name of a country. */
const longestName = 100;

/** German letters as they are written where a keyboard lacks them. */
const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' };

let codes: ReadonlyMap<string, string> | undefined;

/**
 * The ISO 3166-1 code of two letters for a country in any of its names or codes; letter case, accents, punctuation, articles and the
 * order of words do not matter, so that "Korea, Republic of" is "Republic of Korea".
 *
 * @returns null for anything else, also for what several countries are called, such as "Korea".
 */
export function readCountry(text: string): string | null {
  if (text.length > longestName) return null;
  codes ??= listCodes();
  return codes.get(simplify(text)) ?? null;
}

/** Why a text is no country, with the nearest name if there is one. */
export function explainCountry(text: string): string {
  const names = countryCodes.flatMap((code) => namesOf(code).filter((name) => name.length > 3));
  const nearest = nearestName(removeInvisible(text), names);
  const hint =
    nearest === null
      ? ' Its code (ISO 3166-1), such as "DE", is always known.'
      : ` Did you mean "${nearest}"?`;
  return `${quoteName(text)} is not the name or code of a country.${hint}`;
}

function namesOf(code: string): string[] {
  return [countryNames[code], furtherNames[code]].flatMap((names) => names?.split('|') ?? []);
}

function listCodes(): Map<string, string> {
  const found = new Map<string, string>();
  countryCodes.forEach((code, index) => {
    for (const name of namesOf(code)) {
      found.set(simplify(name), code);
      found.set(simplify(name.replace(/[äöüÄÖÜ]/g, (letter) => umlauts[letter] ?? letter)), code);
    }
    found.set(simplify(alpha3[index] ?? ''), code);
  });
  // A code is never another country's name.
  for (const code of countryCodes) found.set(code.toLowerCase(), code);
  return found;
}

/** Words that are left out of names, or written in several ways. */
const equalWords: Readonly<Record<string, string>> = {
  the: '',
  of: '',
  and: '',
  und: '',
  die: '',
  saint: 'st',
  sankt: 'st',
  islands: 'inseln',
  island: 'insel',
};

/** The words of a name in a form that is equal for its spellings. */
function simplify(name: string): string {
  const words = foldText(removeInvisible(name))
    .replace(/[’'ʼ\u0060.]/g, '')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '');
  // The code of Andorra is AND.
  if (words.length === 1) return words.join();
  return words
    .map((word) => equalWords[word] ?? word)
    .filter((word) => word !== '')
    .sort()
    .join(' ');
}
