/** Files that cannot be imported, and how to save them so that they can. They are told by their content, whatever their name is. */

const asSheet = 'save it as .xlsx or "CSV UTF-8"';

/** What an archive is by the files in it. */
const archives: readonly (readonly [file: RegExp, sentence: string])[] = [
  [/^xl\/workbook\.bin$/, `is a binary workbook (.xlsb). Open it in Excel and ${asSheet}.`],
  [
    /^word\//,
    `is a Word document. Copy its table into a spreadsheet and ${asSheet}; save texts as Markdown (.md).`,
  ],
  [/^ppt\//, `is a presentation. Copy its table into a spreadsheet and ${asSheet}.`],
  [
    /^Index(\.zip$|\/)/,
    'is a document of Numbers, Pages or Keynote. In Numbers, choose File > Export To > Excel or CSV.',
  ],
  [
    /^META-INF\/container\.xml$/,
    'is an e-book (EPUB). Its catalogue data can be imported as ONIX 3, .xlsx or CSV.',
  ],
  [
    /^META-INF\/manifest\.xml$/,
    `is an OpenDocument file, such as one of LibreOffice. Open it there and ${asSheet}.`,
  ],
  [
    /\.(csv|tsv|xlsx|xml|json|md|vcf)$/i,
    'is a ZIP archive. Unpack it and import a file in it, or the folder if it has Markdown posts.',
  ],
];

/** Why an archive cannot be imported; null for a workbook. @param names of its files */
export function refuseArchive(names: readonly string[]): string | null {
  const found = archives.find(([file]) => names.some((name) => file.test(name)));
  const isWorkbook = names.some((name) => /^xl\/.*\.xml$/i.test(name) || /(^|\/)workbook\.xml$/i.test(name));
  if (isWorkbook && found?.[0] !== archives[0]?.[0]) return null;
  return found?.[1] ?? 'is a ZIP archive without a file that can be imported.';
}

/** What begins with these bytes, in hexadecimal digits. */
const signatures: readonly (readonly [start: string, sentence: string])[] = [
  [
    'd0cf11e0a1b11ae1',
    `is an old workbook or document (.xls, .doc), or one with a password. Open it in Excel or LibreOffice, and ${asSheet}, without a password.`,
  ],
  ['0908', `is a workbook of a very old kind (.xls). Open it in Excel or LibreOffice, and ${asSheet}.`],
  [
    '25504446',
    'is a PDF. A table in it has to be copied into a spreadsheet, or exported by the program that made it, as .xlsx or CSV.',
  ],
  ['7b5c727466', `is a text document (RTF). Copy its table into a spreadsheet and ${asSheet}.`],
  ['1f8b', 'is compressed (gzip). Unpack it and import the file in it.'],
  ['377abcaf', 'is an archive (7z). Unpack it and import the files in it.'],
  ['52617221', 'is an archive (RAR). Unpack it and import the files in it.'],
  ['425a68', 'is compressed (bzip2). Unpack it and import the file in it.'],
  ['53514c69746520', 'is a database (SQLite). Export its table as CSV.'],
  ['000100005374616e', 'is a database (Access). Export its table as .xlsx or CSV.'],
  ['50415231', 'is a Parquet file. Export its rows as CSV or JSON lines.'],
  ['89504e47', 'is a picture. Pictures are uploaded under Files.'],
  ['ffd8ff', 'is a picture. Pictures are uploaded under Files.'],
  ['47494638', 'is a picture. Pictures are uploaded under Files.'],
];

/** Why a file with these first bytes cannot be imported; null when nothing is known against it. */
export function refuseBytes(start: Uint8Array): string | null {
  const digits = [...start.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return signatures.find(([signature]) => digits.startsWith(signature))?.[1] ?? null;
}

/** Whether bytes are no text: they have NUL, and are not in UTF-16. */
export function isBinary(start: Uint8Array): boolean {
  const hasMark = (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);
  return start.includes(0) && !hasMark && !isAlternating(start);
}

/** Whether every second byte of a Latin text is zero, as in UTF-16 without a byte order mark. */
function isAlternating(start: Uint8Array): boolean {
  const zeros = start.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0);
  const even = start.reduce((count, byte, index) => count + (byte === 0 && index % 2 === 0 ? 1 : 0), 0);
  return zeros > start.length / 4 && (even < zeros / 20 || even > (zeros * 19) / 20);
}

/** Why an XML document cannot be imported. @param root its root element as written, with its attributes */
export function refuseXml(root: string): string {
  const name = /^<([\w:.-]+)/.exec(root)?.[1] ?? '';
  if (/^(?:\w+:)?(collection|record)$/i.test(name) && /MARC21|marc/i.test(root)) {
    return 'is MARC XML. Convert it with your library system or with MarcEdit (Export Tab Delimited Records), and import the table as CSV or .xlsx.';
  }
  if (/^onixmessage$/i.test(name)) return 'is ONIX of a release before 3.0. Export it as ONIX 3.0 or 3.1.';
  if (/^(?:\w+:)?Workbook$/.test(name))
    return `is an XML spreadsheet of 2003. Open it in Excel or LibreOffice and ${asSheet}.`;
  if (/^rss$/i.test(name))
    return 'is a news feed, which has only the latest posts. Use the export of the system: for WordPress "Tools > Export" (WXR).';
  if (/^feed$/i.test(name))
    return 'is a news feed or an export of Blogger. Import it into WordPress and export it there (WXR), or convert it to Markdown files.';
  return `is an XML document of the kind "${name}", which is not known. Known are WordPress (WXR) and ONIX 3; export other data as .xlsx, CSV or JSON.`;
}

const texts: readonly (readonly [start: RegExp, sentence: string])[] = [
  [/^BEGIN:VCALENDAR/i, 'is a calendar. Contacts are exported as vCard (.vcf).'],
  [
    /^\d{5}[a-z]{2}[\s\S]{2,3}[\s\S]{0,3}22\d{5}/,
    'is MARC (ISO 2709). Convert it with MarcEdit (Export Tab Delimited Records), and import the table as CSV or .xlsx.',
  ],
  [/^\s*TY {2}- /, 'is a list of references (RIS). Export it from the reference manager as CSV.'],
  [/^\s*(%[^\n]*\n\s*)*@\w+\s*\{/, 'is BibTeX. Export the references from the reference manager as CSV.'],
  [/^(version: 1\s+)?dn: ?\S/i, 'is LDIF. Export the address book as vCard (.vcf) or CSV.'],
  [/^From \S+ .*\d{4}\r?\n/, 'is a mailbox. Contacts are exported as vCard (.vcf) or CSV.'],
];

/** Why a text cannot be imported; null when nothing is known against it. */
export function refuseText(start: string): string | null {
  return texts.find(([pattern]) => pattern.test(start))?.[1] ?? null;
}
