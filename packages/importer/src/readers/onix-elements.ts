/** Elements of ONIX for Books 3, which have two names: a reference name and a short one. */
import { localName, textOf, type XmlElement } from './xml.ts';

/** The short names of elements with a text. Those of composites are their reference names in lower case. */
const shortNames: Readonly<Record<string, string>> = {
  RecordReference: 'a001',
  NotificationType: 'a002',
  ProductIDType: 'b221',
  IDValue: 'b244',
  ProductForm: 'b012',
  TitleType: 'b202',
  TitleElementLevel: 'x409',
  TitleText: 'b203',
  TitlePrefix: 'b030',
  TitleWithoutPrefix: 'b031',
  Subtitle: 'b029',
  PartNumber: 'x410',
  ContributorRole: 'b035',
  PersonName: 'b036',
  PersonNameInverted: 'b037',
  NamesBeforeKey: 'b039',
  KeyNames: 'b040',
  CorporateName: 'b047',
  LanguageRole: 'b253',
  LanguageCode: 'b252',
  ExtentType: 'b218',
  ExtentValue: 'b219',
  ExtentUnit: 'b220',
  EditionNumber: 'b057',
  EditionStatement: 'b058',
  SubjectSchemeIdentifier: 'b067',
  SubjectCode: 'b069',
  SubjectHeadingText: 'b070',
  MainSubject: 'x425',
  TextType: 'x426',
  Text: 'd104',
  ImprintName: 'b079',
  PublishingRole: 'b291',
  PublisherName: 'b081',
  PublishingStatus: 'b394',
  PublishingDateRole: 'x448',
  Date: 'b306',
  PriceQualifier: 'j261',
  PriceType: 'x462',
  PriceAmount: 'j151',
  CurrencyCode: 'j152',
  CountriesIncluded: 'x449',
  ResourceContentType: 'x436',
  ResourceLink: 'x435',
  DefaultCurrencyCode: 'm186',
};

/** The elements at the end of a path of reference names, below one element or several. */
export function findAll(from: XmlElement | readonly XmlElement[], ...path: readonly string[]): XmlElement[] {
  let found = 'nodes' in from ? [from] : [...from];
  for (const name of path) {
    const names = new Set([name, name.toLowerCase(), shortNames[name] ?? name]);
    found = found.flatMap(({ nodes }) =>
      nodes.filter((node): node is XmlElement => typeof node !== 'string' && names.has(localName(node.name))),
    );
  }
  return found;
}

/** The text of the first of them; '' without one. */
export function findText(from: XmlElement | readonly XmlElement[], ...path: readonly string[]): string {
  return textOf(findAll(from, ...path)[0]).trim();
}

/** All that is in an element, as HTML. */
export function toHtml(element: XmlElement): string {
  return element.nodes
    .map((node) => {
      if (typeof node !== 'string')
        return `<${localName(node.name)}>${toHtml(node)}</${localName(node.name)}>`;
      // Escaped markup (textformat 02) is a text here; markup of its own (05) is elements.
      return /<[a-z/!]/i.test(node) ? node : node.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    })
    .join('');
}
