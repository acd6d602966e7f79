/** Tests of what tells the beginning of a picture from that of another file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginsAsPicture } from '@trellis/schema/values/pictures.ts';

const box = (brand: string) => `\0\0\0\x20ftyp${brand}\0\0\0\0`;
const isPicture = (start: string) => beginsAsPicture(Uint8Array.from(Buffer.from(start, 'latin1')));

test('pictures that can be made public are recognized by their first bytes', () => {
  for (const start of [
    '\xff\xd8\xff\xe0\0\x10JFIF',
    '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
    'GIF87a\x40\0\x60\0',
    'GIF89a\x40\0\x60\0',
    'RIFF\n\r\0\x01WEBPVP8 ',
    'II*\0\x08\0\0\0',
    'MM\0*\0\0\0\x08',
    box('avif'),
    box('heic'),
    box('hevc'),
    box('mif1'),
  ])
    assert.equal(isPicture(start), true, start);
});

test('other files are not, whatever they are called', () => {
  for (const start of [
    '',
    '\xff\xd8',
    'Dear diary,',
    '%PDF-1.7',
    '<svg xmlns="http://www.w3.org/2000/svg">',
    'RIFF\x24\0\0\0WAVEfmt ',
    box('isom'),
    ' \x89PNG\r\n\x1a\n',
  ])
    assert.equal(isPicture(start), false, start);
});
