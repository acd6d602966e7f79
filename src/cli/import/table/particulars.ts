/**
 * Why: everything about an import follows from the declarations of the resources, except what the trade calls things,
 * which fields tell one record from another, and a few members that a list item cannot be without. That stands here.
 */
import type { Resource } from '../../../resources/resource.ts';
import { splitLines, splitList, splitNames } from './split.ts';

/** What columns commonly are called that hold a target, best first; without spaces, hyphens, underscores, capitals. */
export interface Synonyms {
  readonly to: string;
  readonly names: readonly string[];
  /** What such a column says besides its value: an "editor" is a contributor with a role. */
  readonly constants?: Readonly<Record<string, string>>;
}

export interface Particulars {
  readonly synonyms: readonly Synonyms[];
  /** Which fields tell a record from all others: the first set of which all are given counts. */
  readonly identity: readonly (readonly string[])[];
}

/** For each list of objects the member that a plain text means, how a cell is split, and what items have besides. */
export const listMembers: Readonly<
  Record<
    string,
    { main: string; split: (text: string) => string[]; defaults?: Readonly<Record<string, string>> }
  >
> = {
  contributors: { main: 'name', split: splitNames, defaults: { role: 'AUTHOR' } },
  authors: { main: 'name', split: splitNames },
  subjects: { main: 'code', split: splitList, defaults: { scheme: 'CUSTOM' } },
  prices: { main: 'amount', split: splitLines },
  emails: { main: 'address', split: splitList },
  phones: { main: 'number', split: splitLines },
  addresses: { main: 'street', split: (text) => [text] },
  companies: { main: 'name', split: splitLines },
  contents: { main: 'articleId', split: splitList },
};

const emails: readonly Synonyms[] = [
  { to: 'emails.address', names: ['email', 'emails', 'emailaddress', 'emailaddresses', 'mail'] },
  { to: 'emails.address', names: ['workemail', 'businessemail'], constants: { label: 'work' } },
  {
    to: 'emails.address',
    names: ['privateemail', 'personalemail', 'homeemail'],
    constants: { label: 'home' },
  },
];

const places: readonly Synonyms[] = [
  { to: 'phones.number', names: ['phone', 'phones', 'phonenumber', 'phonenumbers', 'telephone', 'tel'] },
  {
    to: 'phones.number',
    names: ['mobile', 'mobilephone', 'cell', 'cellphone'],
    constants: { label: 'mobile' },
  },
  { to: 'phones.number', names: ['workphone', 'businessphone', 'officephone'], constants: { label: 'work' } },
  { to: 'phones.number', names: ['homephone', 'privatephone'], constants: { label: 'home' } },
  { to: 'addresses.street', names: ['street', 'address', 'streetaddress', 'address1', 'addressline1'] },
  { to: 'addresses.city', names: ['city', 'town'] },
  { to: 'addresses.region', names: ['region', 'state', 'province', 'county'] },
  { to: 'addresses.postalCode', names: ['postalcode', 'zip', 'zipcode', 'postcode'] },
  { to: 'addresses.country', names: ['country', 'countrycode'] },
  { to: 'tags', names: ['tags', 'tag', 'labels', 'groups'] },
];

const language: Synonyms = { to: 'language', names: ['language', 'languagecode', 'lang', 'locale'] };
const websiteUrl: Synonyms = { to: 'websiteUrl', names: ['websiteurl', 'website', 'url', 'homepage', 'web'] };

const byResource: Readonly<Record<string, Particulars>> = {
  books: {
    synonyms: [
      { to: 'title', names: ['title', 'booktitle', 'name'] },
      { to: 'isbn13', names: ['isbn13', 'ean', 'ean13', 'gtin', 'gtin13'] },
      { to: 'isbn10', names: ['isbn', 'isbn10'] },
      {
        to: 'contributors.name',
        names: ['authors', 'author', 'authornames', 'authorname', 'creator', 'creators', 'writtenby'],
      },
      { to: 'contributors.name', names: ['editors', 'editor', 'editedby'], constants: { role: 'EDITOR' } },
      {
        to: 'contributors.name',
        names: ['translators', 'translator', 'translatedby'],
        constants: { role: 'TRANSLATOR' },
      },
      { to: 'contributors.name', names: ['illustrators', 'illustrator'], constants: { role: 'ILLUSTRATOR' } },
      {
        to: 'contributors.name',
        names: ['narrators', 'narrator', 'readby'],
        constants: { role: 'NARRATOR' },
      },
      language,
      {
        to: 'publicationDate',
        names: [
          ...['publicationdate', 'publisheddate', 'datepublished', 'pubdate', 'publishdate', 'releasedate'],
          ...[
            'publicationyear',
            'yearpublished',
            'year',
            'yearofpublication',
            'pubyear',
            'originalpublicationyear',
          ],
        ],
      },
      { to: 'pageCount', names: ['pagecount', 'pages', 'numpages', 'numberofpages'] },
      { to: 'seriesTitle', names: ['seriestitle', 'series', 'seriesname'] },
      { to: 'seriesPosition', names: ['seriesposition', 'seriesnumber', 'seriesindex'] },
      { to: 'description', names: ['description', 'summary', 'blurb', 'synopsis'] },
      { to: 'format', names: ['format', 'binding'] },
      { to: 'subjects.code', names: ['subjects', 'subject', 'genres', 'genre'] },
      { to: 'subjects.code', names: ['bisac', 'bisaccode', 'bisaccodes'], constants: { scheme: 'BISAC' } },
      { to: 'subjects.code', names: ['thema', 'themacode', 'themacodes'], constants: { scheme: 'THEMA' } },
      { to: 'prices.amount', names: ['prices', 'price', 'listprice'] },
      { to: 'prices.currency', names: ['currency', 'pricecurrency'] },
    ],
    identity: [
      ['isbn13'],
      ['doi'],
      ['title', 'contributors', 'publicationDate'],
      ['title', 'contributors'],
      ['title'],
    ],
  },
  magazines: {
    synonyms: [
      {
        to: 'title',
        names: ['title', 'journal', 'journaltitle', 'journalname', 'magazine', 'fulltitle', 'name'],
      },
      {
        to: 'abbreviatedTitle',
        names: [
          'abbreviatedtitle',
          'abbreviation',
          'abbreviatedname',
          'abbr',
          'abbrev',
          'iso4',
          'shorttitle',
          'titleabbreviation',
        ],
      },
      { to: 'issnPrint', names: ['issnprint', 'issn', 'printissn', 'pissn'] },
      { to: 'issnOnline', names: ['issnonline', 'eissn', 'onlineissn', 'electronicissn'] },
      language,
      websiteUrl,
      { to: 'startDate', names: ['startdate', 'startyear', 'start', 'founded'] },
      { to: 'endDate', names: ['enddate', 'endyear', 'end'] },
    ],
    identity: [['issnPrint'], ['issnOnline'], ['title']],
  },
  issues: {
    synonyms: [
      { to: 'number', names: ['number', 'issue', 'issuenumber', 'issueno', 'no'] },
      { to: 'volume', names: ['volume', 'vol'] },
      { to: 'publicationDate', names: ['publicationdate', 'published', 'date', 'publisheddate'] },
      { to: 'pageCount', names: ['pagecount', 'pages'] },
    ],
    identity: [
      ['year', 'volume', 'number'],
      ['year', 'number'],
      ['volume', 'number'],
      ['number'],
      ['coverDate'],
      ['title'],
    ],
  },
  contacts: {
    synonyms: [
      { to: 'firstName', names: ['firstname', 'givenname', 'forename'] },
      { to: 'lastName', names: ['lastname', 'surname', 'familyname'] },
      { to: 'fullName', names: ['name', 'fullname', 'contactname', 'displayname'] },
      { to: 'companies.name', names: ['company', 'companyname', 'organization', 'organisation', 'employer'] },
      { to: 'companies.role', names: ['companyrole', 'roleincompany'] },
      { to: 'jobTitle', names: ['jobtitle', 'job', 'position', 'role'] },
      { to: 'notes', names: ['notes', 'note', 'comments', 'comment'] },
      { to: 'source', names: ['source', 'leadsource'] },
      { to: 'locale', names: ['locale', 'language', 'lang'] },
      { to: 'timezone', names: ['timezone', 'tz'] },
      { to: 'doNotContact', names: ['donotcontact', 'optout', 'unsubscribed'] },
      ...emails,
      ...places,
    ],
    identity: [
      ['emails'],
      ['firstName', 'lastName', 'phones'],
      ['phones'],
      ['firstName', 'lastName'],
      ['lastName'],
      ['firstName'],
    ],
  },
  companies: {
    synonyms: [
      {
        to: 'name',
        names: ['name', 'company', 'companyname', 'organization', 'organisation', 'accountname'],
      },
      { to: 'domains', names: ['domains', 'domain', 'domainname', 'websitedomain'] },
      websiteUrl,
      { to: 'industry', names: ['industry', 'sector', 'branch'] },
      { to: 'employeeCount', names: ['employeecount', 'employees', 'numberofemployees', 'headcount'] },
      { to: 'annualRevenue.amount', names: ['annualrevenue', 'revenue', 'turnover'] },
      { to: 'annualRevenue.currency', names: ['currency', 'revenuecurrency'] },
      ...places,
    ],
    identity: [['domains'], ['name']],
  },
  categories: {
    synonyms: [{ to: 'name', names: ['name', 'category', 'title'] }],
    identity: [['slug'], ['name']],
  },
  tags: {
    synonyms: [{ to: 'name', names: ['name', 'tag', 'label', 'title'] }],
    identity: [['slug'], ['name']],
  },
  sites: { synonyms: [], identity: [['key']] },
  articles: {
    synonyms: [
      { to: 'versionData.title', names: ['title', 'headline'] },
      { to: 'versionData.summary', names: ['summary', 'excerpt', 'description', 'abstract'] },
      { to: 'versionData.body', names: ['body', 'content', 'text', 'markdown'] },
      { to: 'versionData.locale', names: ['locale', 'lang', 'language'] },
      { to: 'articleData.authors.name', names: ['authors', 'author', 'by'] },
      { to: 'articleData.canonicalUrl', names: ['canonicalurl', 'canonical'] },
      { to: 'articleData.allowComments', names: ['allowcomments', 'comments'] },
      { to: 'tags', names: ['tags', 'tag', 'keywords'] },
      { to: 'categories', names: ['categories', 'category'] },
    ],
    identity: [['articleData.slug'], ['versionData.title', 'articleData.authors'], ['versionData.title']],
  },
};

/** What is particular about a resource; a new one without an entry is imported by its own names. */
export function particularsOf({ name, titleField }: Resource): Particulars {
  return byResource[name] ?? { synonyms: [], identity: [[titleField]] };
}
