/** Encodings of texts that do not say theirs, also of a few words: what people see in the program that wrote them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectEncoding, EncodingDetector } from '@trellis/schema/values/text-encoding.ts';
import { makeNoise } from '../support/noise.ts';

/** The encoding, a text, and its bytes in it. */
const texts: readonly (readonly [encoding: string, text: string, bytes: string])[] = [
  ['windows-1252', 'Größe', '4772f6df65'],
  ['windows-1252', 'Café', '436166e9'],
  ['windows-1252', 'naïve “quotes” – dash', '6e61ef7665209371756f7465739420962064617368'],
  ['windows-1252', 'Ærø', 'c672f8'],
  ['windows-1252', 'São Paulo', '53e36f205061756c6f'],
  ['windows-1252', 'Garçon à l’école', '476172e76f6e20e0206c92e9636f6c65'],
  ['windows-1252', 'Ä', 'c4'],
  ['windows-1252', 'Malmö;Åre', '4d616c6df63bc57265'],
  ['windows-1252', 'Jürgen Müßig\nStraße 5', '4afc7267656e204dfcdf69670a53747261df652035'],
  ['windows-1252', '€ 5', '802035'],
  [
    'windows-1252',
    'Kündigungsfrist für Grüße aus Köln',
    '4bfc6e646967756e677366726973742066fc72204772fcdf6520617573204bf66c6e',
  ],
  [
    'windows-1250',
    'Łódź, Kraków, Gdańsk: zażółć gęślą jaźń',
    'a3f3649f2c204b72616bf3772c20476461f1736b3a207a61bff3b3e62067ea9c6cb9206a619ff1',
  ],
  ['windows-1250', 'Příliš žluťoučký kůň', '50f8ed6c699a209e6c759d6f75e86bfd206bf9f2'],
  [
    'iso-8859-2',
    'Łódź, Kraków, Gdańsk: zażółć gęślą jaźń',
    'a3f364bc2c204b72616bf3772c20476461f1736b3a207a61bff3b3e62067eab66cb1206a61bcf1',
  ],
  ['iso-8859-2', 'Příliš žluťoučký kůň úpěl', '50f8ed6c69b920be6c75bb6f75e86bfd206bf9f220fa70ec6c'],
  [
    'windows-1254',
    'Şişli, İstanbul: doğum günü kutlaması',
    'de69fe6c692c20dd7374616e62756c3a20646ff0756d2067fc6efc206b75746c616d6173fd',
  ],
  [
    'windows-1251',
    'Привет, мир. Договор аренды на три года.',
    'cff0e8e2e5f22c20ece8f02e20c4eee3eee2eef020e0f0e5ede4fb20ede020f2f0e820e3eee4e02e',
  ],
  ['windows-1251', 'Москва', 'cceef1eae2e0'],
  [
    'koi8-r',
    'Привет, мир. Договор аренды на три года.',
    'f0d2c9d7c5d42c20cdc9d22e20e4cfc7cfd7cfd220c1d2c5cec4d920cec120d4d2c920c7cfc4c12e',
  ],
  ['koi8-r', 'Имя;Город\nАнна;Москва', 'e9cdd13be7cfd2cfc40ae1cecec13bedcfd3cbd7c1'],
  ['windows-1253', 'Καλημέρα κόσμε, συμβόλαιο', 'cae1ebe7ecddf1e120eafcf3ece52c20f3f5ece2fcebe1e9ef'],
  ['windows-1255', 'שלום עולם חוזה', 'f9ece5ed20f2e5eced20e7e5e6e4'],
  ['windows-1256', 'مرحبا بالعالم عقد', 'e3d1cdc8c720c8c7e1dac7e1e320dadecf'],
  [
    'macintosh',
    'Kündigungsfrist für Größe aus Köln',
    '4b9f6e646967756e6773667269737420669f722047729aa76520617573204b9a6c6e',
  ],
  ['macintosh', 'Café à Genève', '4361668e20882047656e8f7665'],
  ['shift_jis', '図書館の管理システム', '907d8f918ad982cc8ac7979d8356835883658380'],
  ['shift_jis', '東京', '938c8b9e'],
  ['shift_jis', '会社名,電話\n日本通運,大阪', '89ef8ed096bc2c936498620a93fa967b92ca895e2c91e58de3'],
  ['shift_jis', '田中太郎', '9363928691be9859'],
  ['euc-jp', '図書館の管理システム', 'bfdebdf1b4dba4ceb4c9cdfda5b7a5b9a5c6a5e0'],
  ['euc-jp', '東京都', 'c5ecb5fec5d4'],
  ['euc-jp', '会社名,電話\n日本通運,大阪', 'b2f1bcd2ccbe2cc5c5cfc30ac6fccbdcc4ccb1bf2cc2e7bae5'],
  ['iso-2022-jp', '図書館の管理', '1b24423f5e3d71345b244e34494d7d1b2842'],
  ['gb18030', '图书馆管理系统', 'cdbccae9b9ddb9dcc0edcfb5cdb3'],
  ['gb18030', '北京', 'b1b1bea9'],
  ['gb18030', '姓名,城市\n张伟,上海', 'd0d5c3fb2cb3c7cad00ad5c5ceb02cc9cfbaa3'],
  ['gb18030', '公司', 'b9abcbbe'],
  ['big5', '圖書館管理系統今天發布了新版本', 'b9cfaed1c05dbadeb27aa874b2cea4b5a4d1b56fa5aca446b773aaa9a5bb'],
  ['big5', '台北', 'a578a55f'],
  ['big5', '客戶名稱,電話\n王小明,台北市', 'abc8a4e1a657bad92cb971b8dc0aa4fda470a9fa2ca578a55fa5ab'],
  ['euc-kr', '도서관 관리 시스템', 'b5b5bcadb0fc20b0fcb8ae20bdc3bdbac5db'],
  ['euc-kr', '서울', 'bcadbfef'],
  ['euc-kr', '이름,도시\n김민수,부산', 'c0ccb8a72cb5b5bdc30ab1e8b9cebcf62cbacebbea'],
];

test('the encoding of a text is recognized by its characters', () => {
  for (const [encoding, text, hexadecimal] of texts) {
    const bytes = Buffer.from(hexadecimal, 'hex');
    assert.equal(detectEncoding(bytes), encoding, text);
    assert.equal(new TextDecoder(encoding).decode(bytes), text);
    // Most of a text may be ASCII, and it comes in pieces.
    const detector = new EncodingDetector();
    const whole = Buffer.concat([Buffer.alloc(100_000, 'word '), bytes]);
    for (let start = 0; start < whole.length; start += 16_384)
      detector.write(whole.subarray(start, start + 16_384));
    assert.equal(detector.end(), encoding, `${text}, late`);
  }
});

test('UTF-8 and UTF-16 are recognized by their form, with and without a byte order mark', () => {
  const text = 'Kündigung\n図書館\n';
  const little = Buffer.from(text, 'utf16le');
  const cases: [string | null, Buffer][] = [
    ['utf-8', Buffer.from(text)],
    ['utf-8', Buffer.from(`\ufeff${text}`)],
    ['utf-16le', little],
    ['utf-16be', Buffer.from(little).swap16()],
    ['utf-16le', Buffer.from(`\ufeff${text}`, 'utf16le')],
    // One damaged character, and one that is cut off.
    ['utf-8', Buffer.concat([Buffer.from(text.repeat(3)), Buffer.from([0xe5, 0x0a])])],
    ['utf-8', Buffer.from(text.repeat(3)).subarray(0, -2)],
    ['utf-8', Buffer.alloc(0)],
    [null, Buffer.from('Text\0')],
    [null, makeNoise(5_000)],
    [null, Buffer.from([0xff, 0xfe, 0x41])],
  ];
  for (const [expected, bytes] of cases)
    assert.equal(detectEncoding(bytes), expected, bytes.toString('latin1'));
});

test('the encoding that a text declares goes before a guess, if the text is in it', () => {
  const bytes = Buffer.from('ecf0e5', 'hex');
  assert.equal(detectEncoding(bytes, 'iso-8859-5'), 'iso-8859-5');
  assert.equal(detectEncoding(bytes, ' KOI8-R '), 'koi8-r');
  assert.equal(detectEncoding(Buffer.from('Größe'), 'iso-8859-1'), 'utf-8');
  assert.equal(detectEncoding(Buffer.from('4772f6df65', 'hex'), 'shift_jis'), 'windows-1252');
  assert.equal(detectEncoding(Buffer.from('4772f6df65', 'hex'), 'unknown'), 'windows-1252');
});
