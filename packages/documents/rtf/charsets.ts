import { TextDecoder } from 'node:util';

const codePageLabels: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  65001: 'utf-8',
};

/** Code pages of the character sets that fonts name. */
const charsetCodePages: Readonly<Record<number, number>> = {
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};

export function decoderForCodePage(codePage: number): TextDecoder {
  const isWindows = codePage >= 1250 && codePage <= 1258;
  return new TextDecoder(codePageLabels[codePage] ?? (isWindows ? `windows-${codePage}` : 'windows-1252'));
}

/** The decoder of a font's character set; undefined if the document's own code page applies. */
export function decoderForCharset(charset: number): TextDecoder | undefined {
  const codePage = charsetCodePages[charset];
  return codePage === undefined ? undefined : decoderForCodePage(codePage);
}
