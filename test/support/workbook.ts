/** Workbooks for tests, made of the XML of their parts. */
import { strToU8, type Zippable, zipSync } from 'fflate';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaging = 'http://schemas.openxmlformats.org/package/2006/relationships';

export interface TestSheet {
  readonly name: string;
  /** The XML of its rows. */
  readonly rows: string;
  readonly isHidden?: boolean;
  /** What stands behind the rows. */
  readonly after?: string;
}

export interface TestWorkbook {
  readonly sheets: readonly TestSheet[];
  /** The XML of shared strings. */
  readonly strings?: string;
  /** Codes of number formats: style 1 has the first one. */
  readonly formats?: readonly (string | number)[];
  readonly isFrom1904?: boolean;
}

/** The bytes of a workbook. @param more further files in the archive, or other content of those */
export function createWorkbook(
  { sheets, strings = '', formats = [], isFrom1904 = false }: TestWorkbook,
  more: Zippable = {},
): Uint8Array {
  const list = sheets.map(
    ({ name, isHidden }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" r:id="r${index + 1}"${isHidden ? ' state="hidden"' : ''}/>`,
  );
  const custom = formats.map((format, index) =>
    typeof format === 'string' ? `<numFmt numFmtId="${200 + index}" formatCode="${format}"/>` : '',
  );
  const styles = formats.map(
    (format, index) => `<xf numFmtId="${typeof format === 'string' ? 200 + index : format}"/>`,
  );
  const parts = [
    ...sheets.map((_, index) => ['worksheet', `worksheets/sheet${index + 1}.xml`]),
    ['styles', 'styles.xml'],
    ['sharedStrings', 'sharedStrings.xml'],
  ];
  const links = parts.map(
    ([type, target], index) =>
      `<Relationship Id="r${index + 1}" Type="${relations}/${type}" Target="${target}"/>`,
  );
  const texts = {
    '_rels/.rels': `<Relationships xmlns="${packaging}"><Relationship Id="r1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><workbookPr date1904="${isFrom1904 ? 1 : 0}"/><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packaging}">${links.join('')}</Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts>${custom.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${strings}</sst>`,
    ...Object.fromEntries(
      sheets.map(({ rows, after = '' }, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData>${after}</worksheet>`,
      ]),
    ),
  };
  const files = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, strToU8(text)]));
  return zipSync({ ...files, ...more });
}

/** The XML of a row of texts and numbers. */
export function createRow(number: number, cells: readonly (string | number)[]): string {
  const written = cells.map((cell) =>
    typeof cell === 'number'
      ? `<c><v>${cell}</v></c>`
      : `<c t="inlineStr"><is><t xml:space="preserve">${cell}</t></is></c>`,
  );
  return `<row r="${number}">${written.join('')}</row>`;
}
