/**
 * The currencies in use (ISO 4217). Not from `Intl`: it still has withdrawn codes (HRK, BGN, SLL), lacks a current one
 * (VED) and changes with every update of Node.
 *
 * The list is ISO 4217, list one, up to amendment 180 (Bulgaria's change to the euro, 1 January 2026), without funds and
 * units of account (BOV, CHE, CHW, CLF, COU, MXV, USN, UYI, UYW, XAD, XDR, XSU, XUA), bond units (XBA to XBD), precious
 * metals (XAG, XAU, XPD, XPT), the test code XTS and XXX for no currency.
 * Source: https://www.six-group.com/en/products-services/financial-information/data-standards.html
 */

/** All of them, by code. */
export const currencyCodes: readonly string[] = (
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY ' +
  'COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ' +
  'ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK ' +
  'MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF ' +
  'SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU ' +
  'UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG'
).split(' ');

const currencies = new Set(currencyCodes);

/** Whether the text is the code of a currency in use (ISO 4217), in upper case. */
export function isCurrency(text: string): boolean {
  return currencies.has(text);
}
