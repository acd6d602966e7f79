/** Writes a workbook with one sheet (ECMA-376), as the reader of this package reads it. Cells are values, never formulas. */
import { strToU8, Zip, ZipDeflate } from 'fflate';
import { nameColumn } from '../readers/xlsx/cell-values.ts';
import type { TableCell } from './cells.ts';

/** Texts that are longer do not fit into a cell of a spreadsheet (characters of UTF-16). */
export const longestText = 32_767;

/** The number of the style of a cell, in the order of `styles`. */
const styleNumbers: Readonly<Record<TableCell['style'] | 'heading', number>> = {
  text: 0,
  number: 0,
  amount: 1,
  date: 2,
  instant: 3,
  heading: 4,
};

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaged = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

// 4 is #,##0.00, 14 a day and 22 a day with its time; programs show them as it is usual in their country.
const styles = `<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/><xf numFmtId="4" applyNumberFormat="1"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="22" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

const parts: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': styles,
};

/** A workbook that is written row by row. */
export class XlsxWriter {
  private readonly chunks: Uint8Array<ArrayBuffer>[] = [];
  private readonly zip = new Zip((error, chunk) => {
    if (error !== null) throw error;
    this.chunks.push(chunk as Uint8Array<ArrayBuffer>);
  });
  private readonly sheet = new ZipDeflate('xl/worksheets/sheet1.xml');
  private rows = 0;

  /**
   * @param name of the sheet
   * @param headings of its columns
   * @param widths of its columns, in characters
   */
  constructor(name: string, headings: readonly string[], widths: readonly number[]) {
    // Programs refuse other names.
    const sheetName = name.replaceAll(/[[\]:*?/\\']/g, ' ').slice(0, 31);
    const workbook = `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="${escapeXml(sheetName)}" sheetId="1" r:id="rId1"/></sheets></workbook>`;
    for (const [path, text] of Object.entries({ ...parts, 'xl/workbook.xml': workbook })) {
      const part = new ZipDeflate(path);
      this.zip.add(part);
      part.push(strToU8(`${declaration}${text}`), true);
    }
    this.zip.add(this.sheet);
    const columns = widths.map(
      (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
    );
    this.push(
      `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>`,
    );
    this.addRow(headings.map((text) => writeText(text, styleNumbers.heading)));
  }

  /** Adds rows. */
  add(rows: readonly (readonly TableCell[])[]): void {
    for (const row of rows) this.addRow(row.map(writeCell));
  }

  /** The bytes of the workbook. */
  end(): readonly Uint8Array<ArrayBuffer>[] {
    this.push('</sheetData></worksheet>', true);
    this.zip.end();
    return this.chunks;
  }

  /** @param cells the markup of each cell without its beginning; '' for an empty one */
  private addRow(cells: readonly string[]): void {
    this.rows += 1;
    const written = cells.map((cell, index) =>
      cell === '' ? '' : `<c r="${nameColumn(index)}${this.rows}"${cell}`,
    );
    this.push(`<row r="${this.rows}">${written.join('')}</row>`);
  }

  private push(text: string, isLast = false): void {
    this.sheet.push(strToU8(text), isLast);
  }
}

function writeCell({ text, number, style }: TableCell): string {
  if (number !== null) return ` s="${styleNumbers[style]}"><v>${number}</v></c>`;
  return text === '' || text.length > longestText ? '' : writeText(text, styleNumbers.text);
}

function writeText(text: string, style: number): string {
  return ` s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;
}

/** Characters that XML does not permit or changes, and what looks like their escape, are escaped (ECMA-376, 22.9.2.19). */
function escapeXml(text: string): string {
  return text
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(
      /[^\t\n\x20-\uFFFD]|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])/g,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
