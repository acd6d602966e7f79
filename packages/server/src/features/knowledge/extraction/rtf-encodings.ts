/** The encodings of RTF files: code pages of the document, and character sets of fonts (Rich Text Format Specification 1.9.1). */

const ofCodePage: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'utf-8',
};

const ofCharset: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gb18030',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
};

/** The label of a code page of Windows; null for one that cannot be decoded. */
export function encodingOfCodePage(page: number): string | null {
  return page >= 1250 && page <= 1258 ? `windows-${page}` : (ofCodePage[page] ?? null);
}

/** The label for the character set of a font; null for those that follow the document. */
export function encodingOfCharset(charset: number): string | null {
  return ofCharset[charset] ?? null;
}
