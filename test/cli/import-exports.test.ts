/**
 * Exports of other systems, without a mapping by hand: what their columns become, and which ones are left out. A row of the table is an
 * export; the values are made up.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRecord } from '@trellis/importer/build-record.ts';
import { noChoices } from '@trellis/importer/columns.ts';
import { createMapping } from '@trellis/importer/mapping.ts';
import { openCsv } from '@trellis/importer/readers/csv.ts';
import { articles } from '@trellis/schema/resources/articles.ts';
import { books } from '@trellis/schema/resources/books.ts';
import { companies } from '@trellis/schema/resources/companies.ts';
import { contacts } from '@trellis/schema/resources/contacts.ts';
import { magazines } from '@trellis/schema/resources/magazines.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { toFile } from '../support/source-file.ts';

interface Export {
  readonly system: string;
  readonly resource: Resource;
  readonly name?: string;
  readonly lines: readonly string[];
  /** The values of each row. */
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** Columns with a value that are not imported. */
  readonly leftOut?: readonly string[];
}

const exports: readonly Export[] = [
  {
    system: 'Google Contacts',
    resource: contacts,
    lines: [
      'First Name,Middle Name,Last Name,Name Prefix,Organization Name,Organization Title,Birthday,Notes,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - Label,Address 1 - Formatted,Address 1 - Street,Address 1 - City,Address 1 - PO Box,Address 1 - Region,Address 1 - Postal Code,Address 1 - Country,Address 2 - Street,Website 1 - Value',
      'Ada,M.,Muster,Dr.,Beispiel AG,Editor,1980-12-24,a note,* myContacts ::: Presse,* Work,ada@example.org ::: a2@example.org,Home,ada@example.net,Mobile,+49 170 1112223 ::: +49 170 1112224,Home,"Weg 1\nUlm",Weg 1,Ulm,Postfach 3,Bayern,89073,DE,Platz 2,example.org',
      'Ben,,Muster,,,,,,* myContacts,,ben@example.org,Home,,,,,,,,,,,,,',
    ],
    records: [
      {
        firstName: 'Ada M.',
        lastName: 'Muster',
        companies: [{ name: 'Beispiel AG' }],
        jobTitle: 'Editor',
        notes: 'a note',
        tags: ['Presse'],
        emails: [
          { label: 'Work', address: 'ada@example.org', isPrimary: true },
          { label: 'Work', address: 'a2@example.org' },
          { label: 'Home', address: 'ada@example.net' },
        ],
        phones: [
          { label: 'Mobile', number: '+49 170 1112223' },
          { label: 'Mobile', number: '+49 170 1112224' },
        ],
        addresses: [
          { street: 'Weg 1\nPostfach 3', city: 'Ulm', region: 'Bayern', postalCode: '89073', country: 'DE' },
          { street: 'Platz 2' },
        ],
      },
      { firstName: 'Ben', lastName: 'Muster', emails: [{ address: 'ben@example.org' }], tags: [] },
    ],
    leftOut: ['Name Prefix', 'Birthday', 'Address 1 - Label', 'Address 1 - Formatted', 'Website 1 - Value'],
  },
  {
    system: 'Google Contacts, until 2023',
    resource: contacts,
    lines: [
      'Name,Given Name,Additional Name,Family Name,Group Membership,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value,Organization 1 - Name,Organization 1 - Title,Address 1 - Street,Address 1 - Country',
      'Ada Muster,Ada,,Muster,* myContacts ::: * friends ::: Presse,* ,ada@example.org,Work,030 555555,Beispiel AG,Editor,Weg 1,Germany',
    ],
    records: [
      {
        firstName: 'Ada',
        lastName: 'Muster',
        tags: ['friends', 'Presse'],
        emails: [{ address: 'ada@example.org', isPrimary: true }],
        phones: [{ label: 'Work', number: '030 555555' }],
        companies: [{ name: 'Beispiel AG' }],
        jobTitle: 'Editor',
        addresses: [{ street: 'Weg 1', country: 'DE' }],
      },
    ],
  },
  {
    system: 'Outlook',
    resource: contacts,
    lines: [
      '"Title","First Name","Middle Name","Last Name","Suffix","Company","Department","Job Title","Business Street","Business Street 2","Business City","Business Postal Code","Business Country/Region","Home Street","Home City","Business Phone","Business Phone 2","Home Phone","Mobile Phone","Primary Phone","Business Fax","Birthday","Categories","E-mail Address","E-mail Type","E-mail Display Name","E-mail 2 Address","E-mail 2 Type","Notes","Web Page","Language"',
      '"Dr.","Ada","","Muster","","Beispiel AG","R&D","","Weg 1","Haus 2","Ulm","89073","Germany","Gasse 3","Köln","+49 30 222","+49 30 333","","+49 170 666","+49 30 222","+49 30 999","0/0/00","Presse;Kunde","ada@example.org","SMTP","Ada (ada@example.org)","ada@example.net","SMTP","a note","","German"',
    ],
    records: [
      {
        firstName: 'Ada',
        lastName: 'Muster',
        companies: [{ name: 'Beispiel AG' }],
        addresses: [
          { street: 'Weg 1\nHaus 2', city: 'Ulm', postalCode: '89073', country: 'DE' },
          { street: 'Gasse 3', city: 'Köln' },
        ],
        phones: [
          { label: 'work', number: '+49 30 222' },
          { label: 'work', number: '+49 30 333' },
          { label: 'mobile', number: '+49 170 666' },
        ],
        tags: ['Presse', 'Kunde'],
        emails: [{ address: 'ada@example.org' }, { address: 'ada@example.net' }],
        notes: 'a note',
        locale: 'de',
      },
    ],
    leftOut: ['Title', 'Department', 'Business Fax', 'Birthday', 'E-mail Display Name'],
  },
  {
    system: 'Outlook in German',
    resource: contacts,
    lines: [
      '"Anrede","Vorname","Weitere Vornamen","Nachname","Firma","Position","Straße geschäftlich","Ort geschäftlich","Postleitzahl geschäftlich","Land/Region geschäftlich","Straße privat","Ort privat","Telefon geschäftlich","Telefon (privat)","Mobiltelefon","E-Mail-Adresse","E-Mail-Typ","E-Mail 2: Adresse","Kategorien","Notizen"',
      '"Frau","Ada","Maria","Muster","Beispiel AG","Lektorin","Weg 1","Ulm","89073","Deutschland","Gasse 3","Köln","+49 30 222","+49 30 333","+49 170 666","ada@example.org","SMTP","ada@example.net","Presse","Notiz"',
    ],
    records: [
      {
        firstName: 'Ada Maria',
        lastName: 'Muster',
        companies: [{ name: 'Beispiel AG' }],
        jobTitle: 'Lektorin',
        addresses: [
          { street: 'Weg 1', city: 'Ulm', postalCode: '89073', country: 'DE' },
          { street: 'Gasse 3', city: 'Köln' },
        ],
        phones: [
          { label: 'work', number: '+49 30 222' },
          { label: 'home', number: '+49 30 333' },
          { label: 'mobile', number: '+49 170 666' },
        ],
        emails: [{ address: 'ada@example.org' }, { address: 'ada@example.net' }],
        tags: ['Presse'],
        notes: 'Notiz',
      },
    ],
    leftOut: ['Anrede'],
  },
  {
    system: 'Outlook in French',
    resource: contacts,
    lines: [
      '"Titre","Prénom","Nom","Société","Rue (bureau)","Ville (bureau)","Code postal (bureau)","Pays/Région (bureau)","Rue (domicile)","Téléphone (bureau)","Téléphone (domicile)","Tél. mobile","Adresse de messagerie","Adresse de messagerie 2","Catégories"',
      '"Mme","Léa","Modèle","Exemple SA","Rue 1","Lyon","69001","France","Rue 2","+33 4 1","+33 4 2","+33 6 3","lea@example.org","lea@example.net","Presse"',
    ],
    records: [
      {
        firstName: 'Léa',
        lastName: 'Modèle',
        companies: [{ name: 'Exemple SA' }],
        addresses: [
          { street: 'Rue 1', city: 'Lyon', postalCode: '69001', country: 'FR' },
          { street: 'Rue 2' },
        ],
        phones: [
          { label: 'work', number: '+33 4 1' },
          { label: 'home', number: '+33 4 2' },
          { label: 'mobile', number: '+33 6 3' },
        ],
        emails: [{ address: 'lea@example.org' }, { address: 'lea@example.net' }],
        tags: ['Presse'],
      },
    ],
    leftOut: ['Titre'],
  },
  {
    system: 'Thunderbird',
    resource: contacts,
    lines: [
      'First Name,Last Name,Display Name,Nickname,Primary Email,Secondary Email,Work Phone,Home Phone,Mobile Number,Home Address,Home Address 2,Home City,Home ZipCode,Home Country,Work Address,Work City,Job Title,Organization,Notes',
      'Ada,Muster,Ada Muster,adi,ada@example.org,ada@example.net,+49 30 1,+49 30 2,+49 170 3,Weg 1,Haus 2,Ulm,89073,Germany,Platz 4,Bonn,Editor,Beispiel AG,a note',
    ],
    records: [
      {
        firstName: 'Ada',
        lastName: 'Muster',
        emails: [{ address: 'ada@example.org' }, { address: 'ada@example.net' }],
        phones: [
          { label: 'work', number: '+49 30 1' },
          { label: 'home', number: '+49 30 2' },
          { label: 'mobile', number: '+49 170 3' },
        ],
        addresses: [
          { street: 'Weg 1\nHaus 2', city: 'Ulm', postalCode: '89073', country: 'DE' },
          { street: 'Platz 4', city: 'Bonn' },
        ],
        jobTitle: 'Editor',
        companies: [{ name: 'Beispiel AG' }],
        notes: 'a note',
      },
    ],
    leftOut: ['Nickname'],
  },
  {
    system: 'LinkedIn',
    resource: contacts,
    lines: [
      'Notes:',
      '"A note, in quotation marks, of the exporting system."',
      '',
      'First Name,Last Name,URL,Email Address,Company,Position,Connected On',
      'Ada,Muster,https://www.example.com/in/ada,ada@example.org,Beispiel AG,Editor,12 Mar 2024',
    ],
    records: [
      {
        firstName: 'Ada',
        lastName: 'Muster',
        emails: [{ address: 'ada@example.org' }],
        companies: [{ name: 'Beispiel AG' }],
        jobTitle: 'Editor',
      },
    ],
    leftOut: ['URL', 'Connected On'],
  },
  {
    system: 'HubSpot',
    resource: contacts,
    lines: [
      'Record ID,First Name,Last Name,Email,Phone Number,Mobile Phone Number,Contact owner,Lead Status,Marketing contact status,Associated Company,Street Address,City,State/Region,Postal Code,Country/Region,Lifecycle Stage,Website URL,Additional email addresses,Unsubscribed from all email',
      '101,Ada,Muster,ada@example.org,+49 30 1,+49 170 2,Somebody,Open deal,Marketing contact,Beispiel AG,Weg 1,Ulm,Bayern,89073,Germany,Marketing Qualified Lead,https://example.org,a2@example.org;a3@example.org,Yes',
      '102,Ben,Muster,ben@example.org,,,,Attempted to contact,,,,,,,,salesqualifiedlead,,,No',
    ],
    records: [
      {
        firstName: 'Ada',
        lastName: 'Muster',
        emails: [
          { address: 'ada@example.org' },
          { address: 'a2@example.org' },
          { address: 'a3@example.org' },
        ],
        phones: [{ number: '+49 30 1' }, { label: 'mobile', number: '+49 170 2' }],
        leadStatus: 'OPEN',
        companies: [{ name: 'Beispiel AG' }],
        addresses: [{ street: 'Weg 1', city: 'Ulm', region: 'Bayern', postalCode: '89073', country: 'DE' }],
        lifecycleStage: 'QUALIFIED',
        ownerUserId: 'Somebody',
        doNotContact: true,
        externalId: '101',
      },
      {
        firstName: 'Ben',
        lastName: 'Muster',
        emails: [{ address: 'ben@example.org' }],
        leadStatus: 'OPEN',
        lifecycleStage: 'QUALIFIED',
        doNotContact: false,
        externalId: '102',
      },
    ],
    leftOut: ['Marketing contact status', 'Website URL'],
  },
  {
    system: 'Salesforce',
    resource: contacts,
    lines: [
      '"ID","ISDELETED","LASTNAME","FIRSTNAME","SALUTATION","NAME","MAILINGSTREET","MAILINGCITY","MAILINGSTATE","MAILINGPOSTALCODE","MAILINGCOUNTRY","OTHERSTREET","PHONE","MOBILEPHONE","HOMEPHONE","EMAIL","TITLE","LEADSOURCE","DESCRIPTION","HASOPTEDOUTOFEMAIL","DONOTCALL"',
      '"003x1","false","Muster","Ada","Ms.","Ada Muster","1 Main St","Springfield","IL","62701","United States","2 Side St","(217) 555-0142","(217) 555-0143","","ada@example.org","VP, Sales","Web","Met at fair","false","true"',
      '"003x2","0","Muster","Ben","","Ben Muster","","","","","","","","","","ben@example.org","","","","false","false"',
    ],
    records: [
      {
        firstName: 'Ada',
        lastName: 'Muster',
        addresses: [
          { street: '1 Main St', city: 'Springfield', region: 'IL', postalCode: '62701', country: 'US' },
          { street: '2 Side St' },
        ],
        phones: [{ number: '(217) 555-0142' }, { label: 'mobile', number: '(217) 555-0143' }],
        emails: [{ address: 'ada@example.org' }],
        jobTitle: 'VP, Sales',
        source: 'Web',
        notes: 'Met at fair',
        doNotContact: true,
      },
      { firstName: 'Ben', lastName: 'Muster', emails: [{ address: 'ben@example.org' }], doNotContact: false },
    ],
    leftOut: ['ID', 'SALUTATION'],
  },
  {
    system: 'Salesforce, accounts',
    resource: companies,
    lines: [
      '"NAME","BILLINGSTREET","BILLINGCITY","BILLINGCOUNTRY","SHIPPINGSTREET","PHONE","WEBSITE","INDUSTRY","NUMBEROFEMPLOYEES","DESCRIPTION"',
      '"Beispiel AG","Weg 1","Ulm","Germany","Platz 2","+49 30 1","www.example.org","Printing","120","Prints."',
    ],
    records: [
      {
        name: 'Beispiel AG',
        addresses: [{ street: 'Weg 1', city: 'Ulm', country: 'DE' }, { street: 'Platz 2' }],
        phones: [{ number: '+49 30 1' }],
        websiteUrl: 'https://www.example.org',
        industry: 'Printing',
        employeeCount: 120,
        description: 'Prints.',
      },
    ],
  },
  {
    system: 'Mailchimp, unsubscribed',
    resource: contacts,
    lines: [
      'Email Address,First Name,Last Name,OPTIN_TIME,CONFIRM_TIME,TIMEZONE,CC,REGION,LEID,EUID,UNSUB_TIME,UNSUB_REASON,TAGS',
      'ada@example.org,Ada,Muster,2018-02-12 10:54:27,2018-02-12 10:54:27,Europe/Berlin,DE,BE,1,2,2018-07-23 12:19:27,NORMAL,"""News"",""Presse, Print"""',
      'ben@example.org,Ben,Muster,,,,,,3,4,,,',
    ],
    records: [
      {
        emails: [{ address: 'ada@example.org' }],
        firstName: 'Ada',
        lastName: 'Muster',
        timezone: 'Europe/Berlin',
        doNotContact: true,
        tags: ['News', 'Presse, Print'],
      },
      { emails: [{ address: 'ben@example.org' }], firstName: 'Ben', lastName: 'Muster' },
    ],
    leftOut: ['OPTIN_TIME', 'CONFIRM_TIME', 'CC', 'REGION', 'LEID', 'EUID', 'UNSUB_REASON'],
  },
  {
    system: 'Mailchimp, cleaned',
    resource: contacts,
    name: 'exports/cleaned_segment_export_1234.csv',
    lines: [
      'Email Address,First Name,CLEAN_TIME',
      'ada@example.org,Ada,2018-07-23 12:19:27',
      'ben@example.org,Ben,',
    ],
    records: [
      { emails: [{ address: 'ada@example.org' }], firstName: 'Ada', doNotContact: true },
      { emails: [{ address: 'ben@example.org' }], firstName: 'Ben', doNotContact: true },
    ],
  },
  {
    system: 'Mailchimp, not subscribed',
    resource: contacts,
    name: 'nonsubscribed_members.csv',
    lines: ['Email Address,First Name', 'ada@example.org,Ada'],
    records: [{ emails: [{ address: 'ada@example.org' }], firstName: 'Ada' }],
  },
  {
    system: 'Shopify',
    resource: contacts,
    lines: [
      'Customer ID,First Name,Last Name,Email,Default Address Company,Default Address Address1,Default Address Address2,Default Address City,Default Address Province Code,Default Address Country Code,Default Address Zip,Default Address Phone,Phone,Total Spent,Note,Tags',
      '\'123,Ada,Muster,ada@example.org,Beispiel AG,Weg 1,Haus 2,Ulm,BY,DE,89073,+49 30 1,+49 30 1,9.99,a note,"vip, press"',
    ],
    records: [
      {
        firstName: 'Ada',
        lastName: 'Muster',
        emails: [{ address: 'ada@example.org' }],
        companies: [{ name: 'Beispiel AG' }],
        addresses: [
          { street: 'Weg 1\nHaus 2', city: 'Ulm', region: 'BY', country: 'DE', postalCode: '89073' },
        ],
        phones: [{ number: '+49 30 1' }],
        notes: 'a note',
        tags: ['vip', 'press'],
      },
    ],
    leftOut: ['Customer ID', 'Total Spent'],
  },
  {
    system: 'Magento',
    resource: contacts,
    lines: [
      'firstname,lastname,email,street1,city1,postcode1,telephone1,street2,city2,postcode2,telephone2',
      'Ada,Muster,ada@example.org,Weg 1,Ulm,89073,+49 30 1,Gasse 2,Bonn,53111,+49 30 2',
    ],
    records: [
      {
        firstName: 'Ada',
        lastName: 'Muster',
        emails: [{ address: 'ada@example.org' }],
        addresses: [
          { street: 'Weg 1', city: 'Ulm', postalCode: '89073' },
          { street: 'Gasse 2', city: 'Bonn', postalCode: '53111' },
        ],
        phones: [{ number: '+49 30 1' }, { number: '+49 30 2' }],
      },
    ],
  },
  {
    system: 'WooCommerce',
    resource: contacts,
    lines: [
      'first_name,last_name,email,billing_first_name,billing_company,billing_address_1,billing_address_2,billing_postcode,billing_city,billing_phone,billing_email,shipping_address_1,shipping_address_2,shipping_postcode,shipping_city,shipping_phone',
      'Ada,Muster,ada@example.org,Ada,Beispiel AG,Weg 1,Haus 2,89073,Ulm,+49 30 1,office@example.org,Weg 1,Haus 2,89073,Ulm,+49 30 1',
      'Ben,Muster,ben@example.org,Ben,,Weg 1,,89073,Ulm,,ben@example.org,Gasse 2,,53111,Bonn,+49 30 2',
    ],
    records: [
      {
        firstName: 'Ada',
        lastName: 'Muster',
        emails: [{ address: 'ada@example.org' }, { address: 'office@example.org' }],
        companies: [{ name: 'Beispiel AG' }],
        addresses: [{ street: 'Weg 1\nHaus 2', city: 'Ulm', postalCode: '89073' }],
        phones: [{ number: '+49 30 1' }],
      },
      {
        firstName: 'Ben',
        lastName: 'Muster',
        emails: [{ address: 'ben@example.org' }],
        addresses: [
          { street: 'Weg 1', city: 'Ulm', postalCode: '89073' },
          { street: 'Gasse 2', city: 'Bonn', postalCode: '53111' },
        ],
        phones: [{ number: '+49 30 2' }],
      },
    ],
    leftOut: ['billing_first_name'],
  },
  {
    system: 'LibraryThing',
    resource: books,
    lines: [
      'Book Id\tTitle\tPrimary Author\tSecondary Author\tDate\tPage Count\tLanguages\tISBN',
      '7\tEin Buch\tMuster, Ada\tMuster, Ben\t1979\t590\tFrench\t[0306406152]',
    ],
    records: [
      {
        title: 'Ein Buch',
        contributors: [{ name: 'Muster, Ada' }, { name: 'Muster, Ben' }],
        publicationDate: '1979',
        pageCount: 590,
        language: 'fr',
        isbn13: '9780306406157',
      },
    ],
    leftOut: ['Book Id'],
  },
  {
    system: 'Calibre',
    resource: books,
    lines: [
      'authors,author_sort,comments,languages,title,series,uuid,isbn',
      'Ada Muster,"Muster, Ada",What it is about.,eng,A book,All books,3051ed45-8943-4900-a22a-d2704e3583df,9780306406157',
    ],
    records: [
      {
        title: 'A book',
        contributors: [{ name: 'Ada Muster' }],
        description: 'What it is about.',
        language: 'en',
        seriesTitle: 'All books',
        isbn13: '9780306406157',
      },
    ],
    leftOut: ['author_sort', 'uuid'],
  },
  {
    system: 'StoryGraph',
    resource: books,
    lines: [
      'Title,Authors,Contributors,ISBN/UID,Format',
      'A book,"Ada Muster, Ben Muster",,9780306406157,paperback',
      'No number,Ada Muster,,3051ed45-8943-4900-a22a-d2704e3583df,',
    ],
    records: [
      {
        title: 'A book',
        contributors: [{ name: 'Ada Muster' }, { name: 'Ben Muster' }],
        isbn13: '9780306406157',
        format: 'PAPERBACK',
      },
      { title: 'No number', contributors: [{ name: 'Ada Muster' }] },
    ],
  },
  {
    system: 'BookWyrm',
    resource: books,
    lines: [
      'title,author_text,isbn_10,isbn_13',
      '我穿我自己,琅俨,,',
      'A book,Ada Muster,0306406152,9780306406157',
    ],
    records: [
      { title: '我穿我自己', contributors: [{ name: '琅俨' }] },
      { title: 'A book', contributors: [{ name: 'Ada Muster' }], isbn13: '9780306406157' },
    ],
  },
  {
    system: 'Goodreads',
    resource: books,
    lines: [
      'Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Publisher,Binding,Number of Pages,Year Published,Original Publication Year,Bookshelves',
      '1,Ein Buch,Ada Muster,"Muster, Ada","Ben Muster, Cleo Muster","=""0306406152""","=""9780306406157""",5,Beispiel,Mass Market Paperback,200,2003,1999,read',
      '2,Noch eins,Ada Muster,"Muster, Ada",,"=""""","=""""",0,Beispiel,Kindle Edition,0,2023,2023,',
    ],
    records: [
      {
        title: 'Ein Buch',
        contributors: [{ name: 'Ada Muster' }, { name: 'Ben Muster' }, { name: 'Cleo Muster' }],
        isbn13: '9780306406157',
        publisher: 'Beispiel',
        format: 'PAPERBACK',
        pageCount: 200,
        publicationDate: '2003',
      },
      {
        title: 'Noch eins',
        contributors: [{ name: 'Ada Muster' }],
        publisher: 'Beispiel',
        format: 'EBOOK',
        publicationDate: '2023',
      },
    ],
    leftOut: ['Book Id', 'Author l-f', 'My Rating', 'Original Publication Year', 'Bookshelves'],
  },
  {
    system: 'Zotero',
    resource: books,
    lines: [
      '"Key","Item Type","Publication Year","Author","Title","Publication Title","ISBN","DOI","Abstract Note","Date","Pages","Num Pages","Publisher","Language","Editor","Edition"',
      '"A1","book","2010","Muster, Ada M.; Muster, Ben","Ein Buch","","978-0-306-40615-7","","Worum es geht","2010-06-23","169-177","300","Beispiel","de","Muster, Dan","2"',
    ],
    records: [
      {
        contributors: [
          { name: 'Muster, Ada M.' },
          { name: 'Muster, Ben' },
          { role: 'EDITOR', name: 'Muster, Dan' },
        ],
        title: 'Ein Buch',
        isbn13: '9780306406157',
        description: 'Worum es geht',
        publicationDate: '2010-06-23',
        pageCount: 300,
        publisher: 'Beispiel',
        language: 'de',
        edition: '2',
      },
    ],
    leftOut: ['Key', 'Item Type', 'Publication Year', 'Pages'],
  },
  {
    system: 'DOAJ',
    resource: magazines,
    lines: [
      'Journal title,Journal URL,Journal ISSN (print version),Journal EISSN (online version),Languages in which the journal accepts manuscripts,Publisher,Country of publisher',
      'Zeitschrift,https://example.org,1234-5679,2049-3630,"Portuguese, English",Beispiel,Brazil',
    ],
    records: [
      {
        title: 'Zeitschrift',
        websiteUrl: 'https://example.org',
        issnPrint: '1234-5679',
        issnOnline: '2049-3630',
        language: 'pt',
        publisher: 'Beispiel',
      },
    ],
    leftOut: ['Country of publisher'],
  },
  {
    system: 'posts of WordPress as a table',
    resource: articles,
    lines: [
      'Title,Content,Slug,Status,Date,Author Username',
      'First,"<!-- wp:paragraph -->\n<p>Some <b>bold</b> text</p>",first,publish,2015-03-04 10:00:00,admin',
      'Second,"<H2>Heading</H2>",second,pending,,admin',
      'Third,"Plain, with <p> in it",third,private,,admin',
    ],
    records: [
      {
        'versionData.title': 'First',
        'versionData.body': '<!-- wp:paragraph -->\n<p>Some <b>bold</b> text</p>',
        'versionData.bodyFormat': 'HTML',
        'articleData.slug': 'first',
        'versionData.status': 'PUBLISHED',
        'articleData.firstPublishedAt': '2015-03-04T10:00:00.000Z',
      },
      {
        'versionData.title': 'Second',
        'versionData.body': '<H2>Heading</H2>',
        'versionData.bodyFormat': 'HTML',
        'articleData.slug': 'second',
        'versionData.status': 'DRAFT',
      },
      {
        'versionData.title': 'Third',
        'versionData.body': 'Plain, with <p> in it',
        'articleData.slug': 'third',
        'versionData.status': 'DRAFT',
      },
    ],
    leftOut: ['Author Username'],
  },
  {
    system: 'KBART',
    resource: magazines,
    name: 'titles.txt',
    lines: [
      'publication_title\tprint_identifier\tonline_identifier\ttitle_url\ttitle_id\tpublisher_name\tpublication_type',
      'Zeitschrift\t1234-5679\t2049-3630\thttps://example.org\tz\tBeispiel\tserial',
    ],
    records: [
      {
        title: 'Zeitschrift',
        issnPrint: '1234-5679',
        issnOnline: '2049-3630',
        websiteUrl: 'https://example.org',
        publisher: 'Beispiel',
      },
    ],
    leftOut: ['title_id', 'publication_type'],
  },
];

for (const { system, resource, name = 'export.csv', lines, records, leftOut = [] } of exports) {
  test(`an export of ${system} is understood without a mapping by hand`, async () => {
    const source = await openCsv(toFile(name, `${lines.join('\r\n')}\r\n`), {
      columns: null,
      delimiter: null,
    });
    const mapping = createMapping(resource, source, noChoices);
    const found: Record<string, unknown>[] = [];
    for await (const row of source.read()) {
      assert.ok('fields' in row, 'the row can be read');
      const { values, faults } = buildRecord(resource, mapping.map(row, false), false);
      assert.deepEqual(faults, []);
      found.push(Object.fromEntries(values));
    }
    assert.deepEqual(found, records);
    assert.deepEqual(
      mapping
        .list()
        .flatMap(({ column, to }) => (to === null ? [column] : []))
        .sort(),
      [...leftOut].sort(),
    );
  });
}
