/** Reads ONIX for Books 3, with reference names or short ones: products of publishers become books. */
import type { Source, SourceRow } from '../source.ts';
import { noBytes, openTableFile, type SourceFile } from './file.ts';
import { htmlToText } from './html-text.ts';
import { findAll, findText, toHtml } from './onix-elements.ts';
import { createRow, formatRejectedRecord, givenFields, SkippedParts } from './record-rows.ts';
import { localName, readElements, textOf, type XmlElement } from './xml.ts';

/** Opens a message. */
export function openOnix(file: SourceFile): Source {
  const table = openTableFile(file);
  const skipped = new SkippedParts();
  return {
    ...table.source,
    columns: null,
    resources: ['books'],
    skipped: skipped.counts,
    rejectedHeader: noBytes,
    formatRejected: formatRejectedRecord,
    async *read() {
      skipped.counts.clear();
      let [number, currency] = [0, ''];
      const names = new Set(['Product', 'product', 'DefaultCurrencyCode', 'm186']);
      for await (const element of readElements({ label: file.name, chunks: table.read() }, names)) {
        if (localName(element.name).toLowerCase() !== 'product') {
          currency = textOf(element).trim();
          continue;
        }
        number += 1;
        if (findText(element, 'NotificationType') === '05') skipped.add('products that the message deletes');
        else yield readProduct(element, `product ${number}`, currency, skipped);
      }
    },
  };
}

/** Parts that no field has. */
const notTaken: Readonly<Record<string, readonly string[]>> = {
  'related products': ['RelatedMaterial', 'RelatedProduct'],
  'sales rights': ['PublishingDetail', 'SalesRights'],
  audiences: ['DescriptiveDetail', 'Audience'],
  measures: ['DescriptiveDetail', 'Measure'],
  prizes: ['CollateralDetail', 'Prize'],
};

function readProduct(product: XmlElement, place: string, currency: string, skipped: SkippedParts): SourceRow {
  const details = findAll(product, 'DescriptiveDetail');
  const publishing = findAll(product, 'PublishingDetail');
  const collateral = findAll(product, 'CollateralDetail');
  for (const [what, path] of Object.entries(notTaken)) skipped.add(what, findAll(product, ...path).length);
  const texts = findAll(collateral, 'TextContent');
  const description = ['03', '02', '01'].flatMap((type) =>
    texts.filter((one) => findText(one, 'TextType') === type),
  )[0];
  skipped.add('texts other than the description', texts.length - (description === undefined ? 0 : 1));
  const main = titleElement(details, '01', '01');
  const series = findAll(details, 'Collection');
  const seriesTitle = titleElement(series, null, '02') ?? titleElement(series, null, '01');
  const isbn = idOf(product, ['15', '03', '02']);
  const edition = findText(details, 'EditionStatement') || findText(details, 'EditionNumber');
  const fields = givenFields({
    externalId: findText(product, 'RecordReference'),
    title: readTitle(main),
    subtitle: main === null ? '' : findText(main, 'Subtitle'),
    description:
      description === undefined ? '' : htmlToText(findAll(description, 'Text').map(toHtml)[0] ?? '', '\n'),
    language: textsWith(details, 'Language', 'LanguageRole', ['01'], 'LanguageCode')[0],
    contributors: findAll(details, 'Contributor').flatMap(readContributor),
    isbn13: isbn,
    doi: idOf(product, ['06']),
    edition,
    seriesTitle: readTitle(seriesTitle),
    seriesPosition: seriesTitle === null ? '' : findText(seriesTitle, 'PartNumber'),
    format: readFormat(findText(details, 'ProductForm')),
    pageCount: readPages(findAll(details, 'Extent')),
    publisher:
      textsWith(publishing, 'Publisher', 'PublishingRole', ['01', ''], 'PublisherName')[0] ??
      findText(publishing, 'Publisher', 'PublisherName'),
    imprint: findText(publishing, 'Imprint', 'ImprintName'),
    publicationDate: readDate(
      textsWith(publishing, 'PublishingDate', 'PublishingDateRole', ['01'], 'Date')[0] ?? '',
    ),
    subjects: readSubjects(findAll(details, 'Subject'), skipped),
    prices: readPrices(findAll(product, 'ProductSupply', 'SupplyDetail', 'Price'), currency, skipped),
    tradeStatus: tradeStatuses.get(findText(publishing, 'PublishingStatus')),
    'cover picture': findText(
      findAll(collateral, 'SupportingResource').filter(
        (one) => findText(one, 'ResourceContentType') === '01',
      ),
      'ResourceVersion',
      'ResourceLink',
    ),
  });
  return createRow({ place, fields, becomes: 'books' });
}

/** The texts of members of the composites whose other member has one of these codes, in the order of the codes. */
function textsWith(
  from: readonly XmlElement[],
  composite: string,
  code: string,
  codes: readonly string[],
  member: string,
): string[] {
  const all = findAll(from, composite);
  return codes.flatMap((one) =>
    all.filter((element) => findText(element, code) === one).map((element) => findText(element, member)),
  );
}

/** The identifier of the first of these types (list 5). */
function idOf(product: XmlElement, types: readonly string[]): string {
  const found = textsWith([product], 'ProductIdentifier', 'ProductIDType', types, 'IDValue');
  // A GTIN-13 of another kind of product is no ISBN.
  return found.find((id) => !/^\d{13}$/.test(id) || /^97[89]/.test(id)) ?? '';
}

/** The title of a level (list 149) and, if given, of a type (list 15). */
function titleElement(from: readonly XmlElement[], type: string | null, level: string): XmlElement | null {
  const details = findAll(from, 'TitleDetail');
  const ofType = type === null ? details : details.filter((one) => findText(one, 'TitleType') === type);
  const elements = findAll(ofType.length > 0 ? ofType : details, 'TitleElement');
  return elements.find((one) => findText(one, 'TitleElementLevel') === level) ?? null;
}

function readTitle(element: XmlElement | null): string {
  if (element === null) return '';
  const prefix = findText(element, 'TitlePrefix');
  return findText(element, 'TitleText') || `${prefix} ${findText(element, 'TitleWithoutPrefix')}`.trim();
}

/** Roles of contributors (list 17); others than these are OTHER. */
const roles: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...Object.fromEntries(
      ['A01', 'A02', 'A03', 'A04', 'A05', 'A06', 'A09', 'A10', 'A14', 'A99'].map((code) => [code, 'AUTHOR']),
    ),
    ...Object.fromEntries(
      ['B01', 'B02', 'B09', 'B11', 'B12', 'B13', 'B16', 'B18', 'B21'].map((code) => [code, 'EDITOR']),
    ),
    A12: 'ILLUSTRATOR',
    A35: 'ILLUSTRATOR',
    B06: 'TRANSLATOR',
    B08: 'TRANSLATOR',
    B10: 'TRANSLATOR',
    E03: 'NARRATOR',
    E07: 'NARRATOR',
  }),
);

function readContributor(contributor: XmlElement): { readonly name: string; readonly role: string }[] {
  const parts = [findText(contributor, 'NamesBeforeKey'), findText(contributor, 'KeyNames')].filter(
    (part) => part !== '',
  );
  const name =
    findText(contributor, 'PersonName') ||
    parts.join(' ') ||
    uninvert(findText(contributor, 'PersonNameInverted')) ||
    findText(contributor, 'CorporateName');
  if (name === '') return [];
  const given = [
    ...new Set(
      findAll(contributor, 'ContributorRole').map((one) => roles.get(textOf(one).trim()) ?? 'OTHER'),
    ),
  ];
  return (given.length === 0 ? ['AUTHOR'] : given).map((role) => ({ name, role }));
}

/** `Ada Example` for `Example, Ada`; a name with several commas stays. */
function uninvert(name: string): string {
  const [last, first, ...others] = name.split(',').map((part) => part.trim());
  return first === undefined || first === '' || others.length > 0 ? name : `${first} ${last}`;
}

/** Forms of products (list 150). */
function readFormat(form: string): string {
  if (form === 'BB') return 'HARDCOVER';
  if (form === 'BC') return 'PAPERBACK';
  if (/^E|^DG$/.test(form)) return 'EBOOK';
  return form.startsWith('A') ? 'AUDIOBOOK' : '';
}

/** The number of pages (lists 23 and 24), of the kind that publishers print first. */
function readPages(extents: readonly XmlElement[]): string {
  const pages = extents.filter((one) => findText(one, 'ExtentUnit') === '03');
  const found = ['00', '11', '10', '07', '05', '08'].flatMap((type) =>
    pages.filter((one) => findText(one, 'ExtentType') === type),
  );
  return found[0] === undefined ? '' : findText(found[0], 'ExtentValue');
}

/** `2003-02-06` for `20030206`, `2003-02` for `200302` (list 55). */
function readDate(text: string): string {
  const [, year, month, day] = /^(\d{4})(\d{2})?(\d{2})?(?:T.*)?$/.exec(text) ?? [];
  return year === undefined ? text : [year, month, day].filter((part) => part !== undefined).join('-');
}

/** Statuses of publishing (list 64). */
const tradeStatuses: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '01': 'CANCELLED',
    '02': 'FORTHCOMING',
    '03': 'POSTPONED',
    '04': 'ACTIVE',
    '06': 'OUT_OF_STOCK',
    '07': 'OUT_OF_PRINT',
    '11': 'WITHDRAWN',
    '15': 'WITHDRAWN',
    '16': 'WITHDRAWN',
    '17': 'WITHDRAWN',
  }),
);

const mostSubjects = 50;

/** Subjects (list 27): BISAC, Thema with its qualifiers, others with a code. The main one comes first. */
function readSubjects(subjects: readonly XmlElement[], skipped: SkippedParts) {
  const isMain = (one: XmlElement) => findAll(one, 'MainSubject').length > 0;
  const ordered = [...subjects.filter(isMain), ...subjects.filter((one) => !isMain(one))];
  const seen = new Set<string>();
  const read = ordered.flatMap((one) => {
    const scheme = schemeOf(findText(one, 'SubjectSchemeIdentifier'));
    const code = findText(one, 'SubjectCode');
    if (code === '') skipped.add('keywords and subjects without a code');
    if (code === '' || seen.has(`${scheme} ${code}`)) return [];
    seen.add(`${scheme} ${code}`);
    const label = findText(one, 'SubjectHeadingText');
    return [{ scheme, code, ...(label === '' ? {} : { label: label.slice(0, 255) }) }];
  });
  skipped.add(`subjects after the first ${mostSubjects}`, Math.max(0, read.length - mostSubjects));
  return read.slice(0, mostSubjects);
}

function schemeOf(identifier: string): 'BISAC' | 'THEMA' | 'CUSTOM' {
  if (identifier === '10') return 'BISAC';
  return /^9[3-9]$/.test(identifier) ? 'THEMA' : 'CUSTOM';
}

/** Retail prices first, with tax before without (list 58). */
const priceTypes = ['04', '02', '24', '22', '03', '01', '21', ''];
const mostPrices = 50;

/** Prices by currency and country, those for everybody first; one without countries is for all. */
function readPrices(prices: readonly XmlElement[], defaultCurrency: string, skipped: SkippedParts) {
  const rank = (one: XmlElement) => {
    const index = priceTypes.indexOf(findText(one, 'PriceType'));
    // For members, libraries or during an offer, unlike the unqualified and the consumer's (list 59).
    const isSpecial = !['', '00', '05'].includes(findText(one, 'PriceQualifier'));
    return (index < 0 ? priceTypes.length : index) * 2 + (isSpecial ? 1 : 0);
  };
  const found = new Map<string, { amount: string; currency: string; territory?: string }>();
  for (const one of prices.toSorted((left, right) => rank(left) - rank(right))) {
    const amount = findText(one, 'PriceAmount');
    const currency = findText(one, 'CurrencyCode') || defaultCurrency;
    if (amount === '' || currency === '') continue;
    const countries = findText(one, 'Territory', 'CountriesIncluded')
      .split(/\s+/)
      .filter((country) => country !== '');
    for (const territory of countries.length === 0 ? [''] : countries) {
      const key = `${currency} ${territory}`;
      if (found.has(key) || found.size >= mostPrices) {
        skipped.add('further prices for one currency and country');
        continue;
      }
      found.set(key, { amount, currency, ...(territory === '' ? {} : { territory }) });
    }
  }
  return [...found.values()];
}
