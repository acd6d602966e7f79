/** The limits of text extraction, for the page about limits. */
import { bytes, number } from '../../../kernel/contract/documentation/limits-page.ts';
import { defaultExtractionLimits as extraction } from '../extraction.ts';

const cpu = extraction.cpuMilliseconds;
export const limitRows: readonly (readonly string[])[] = [
  ['Text of a file', `the first ${number.format(extraction.characters)} characters; the rest is left out`],
  [
    'Pages of a PDF, slides of a presentation',
    `the first ${number.format(extraction.pages)}; the rest is left out`,
  ],
  [
    'Parts of an office document or book, unpacked',
    `${bytes(extraction.unzippedBytes)}; beyond it the file is FAILED`,
  ],
  [
    'Processor time',
    `${cpu.least / 1_000} s and ${cpu.perMegabyte / 1_000} s for each megabyte of the file, at most ${cpu.most / 1_000} s; beyond it the file is FAILED`,
  ],
  ['Memory', `${extraction.memoryMegabytes} MB; beyond it the file is FAILED`],
];
