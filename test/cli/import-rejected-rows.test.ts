/** The file of rejected rows: each row as it came, in a file that can be imported with the settings of the one that it comes from. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CsvOptions, openCsv } from '@trellis/importer/readers/csv.ts';
import { openNdjson } from '@trellis/importer/readers/ndjson.ts';
import type { Source, SourceRow, UnreadableRow } from '@trellis/importer/source.ts';
import { toFile } from '../support/source-file.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const fromHeader: CsvOptions = { columns: null, delimiter: null };

interface Sample {
  readonly title: string;
  readonly content: Buffer;
  readonly options?: CsvOptions;
  /** The file of rejected rows, if each of them is rejected because of "no". */
  readonly rejected: Buffer;
}

/** With the reason that most rows are given. */
const tables: readonly Sample[] = [
  {
    title: 'a comma without quotation marks adds a cell',
    content: Buffer.from('name,phone,city\nDoe, Jane,+49 30 1,Rome\nBo,2,Oslo\n'),
    rejected: Buffer.from('rejected_because,name,phone,city\n"no",Doe, Jane,+49 30 1,Rome\n"no",Bo,2,Oslo\n'),
  },
  {
    title: 'a row has fewer cells than the header',
    content: Buffer.from('name;phone;city\nBo;2\n'),
    rejected: Buffer.from('rejected_because;name;phone;city\n"no";Bo;2\n'),
  },
  {
    title: 'the bytes are those of another encoding',
    content: latin1('name,city\nJ\u00fcrgen,K\u00f6ln\n'),
    rejected: latin1('rejected_because,name,city\n"no",J\u00fcrgen,K\u00f6ln\n'),
  },
  {
    title: 'quotation marks, spaces and line breaks stay as they are written',
    content: Buffer.from('\uFEFF"name"\t city\r\n"Bo"\t"Os""lo\r\nNorth"\r\n "a"\t\'b \r\n'),
    rejected: Buffer.from(
      '\uFEFFrejected_because\t"name"\t city\n"no"\t"Bo"\t"Os""lo\r\nNorth"\n"no"\t "a"\t\'b \n',
    ),
  },
  {
    title: 'a file without a header line gets one',
    content: Buffer.from('Bo|2\nAda|3'),
    options: { columns: ['the name', 'phone'], delimiter: '|' },
    rejected: Buffer.from('rejected_because|"the name"|"phone"\n"no"|Bo|2\n"no"|Ada|3\n'),
  },
  {
    title: 'a row that was rejected before gets the new reason',
    content: Buffer.from('rejected_because,name,phone\n"old, and ""odd""",Bo,2,3\nold,Ada\n,Cy,4\n'),
    rejected: Buffer.from('rejected_because,name,phone\n"no",Bo,2,3\n"no",Ada\n"no",Cy,4\n'),
  },
];

const lines: readonly Sample[] = [
  {
    title: 'numbers and spaces of a line stay as they are written',
    content: Buffer.from(' { "id" : 9007199254740993, "price": 1.10 } \n{}\n'),
    rejected: Buffer.from(
      '{"rejected_because":"no", "id" : 9007199254740993, "price": 1.10 } \n{"rejected_because":"no"}\n',
    ),
  },
  {
    title: 'a line that is not UTF-8, not JSON or not an object stays as it is',
    content: latin1('{"name":"J\u00fcrgen"}\n{"name":}\n{"name":"Bo"\n[1]\n'),
    rejected: latin1(
      '{"rejected_because":"no","name":"J\u00fcrgen"}\n{"rejected_because":"no","name":}\n{"rejected_because":"no","name":"Bo"\n[1]\n',
    ),
  },
  {
    title: 'a line that was rejected before gets the new reason',
    content: Buffer.from(
      '{"rejected_because":"old \\"odd\\\\","name":"Bo","n":1e2}\n{"name":"Ada","rejected_because":"old"}\n{"rejected_because":"old"}\n',
    ),
    rejected: Buffer.from(
      '{"rejected_because":"no","name":"Bo","n":1e2}\n{"rejected_because":"no","name":"Ada"}\n{"rejected_because":"no"}\n',
    ),
  },
];

async function readAll(source: Source): Promise<(SourceRow | UnreadableRow)[]> {
  return Array.fromAsync(source.read());
}

/** The file of rejected rows, if all are rejected. */
async function rejectAll(source: Source, reasons: readonly string[]): Promise<Buffer> {
  const rows = await readAll(source);
  const rejected = rows.map(({ place, original }) =>
    source.formatRejected({ place, externalId: null, reasons }, original),
  );
  return Buffer.concat([source.rejectedHeader, ...rejected]);
}

/** What a row says, without its place; of one that cannot be read why, without numbers of cells and characters. */
function contentOf(row: SourceRow | UnreadableRow): unknown {
  return 'unreadable' in row ? row.unreadable.replaceAll(/\d+/g, '…') : [...row.fields];
}

for (const [kind, samples] of Object.entries({ csv: tables, ndjson: lines })) {
  for (const { title, content, options = fromHeader, rejected } of samples) {
    test(`${kind}: ${title}`, async () => {
      const open = async (bytes: Buffer) => {
        const file = toFile(`rows.${kind}`, bytes);
        return kind === 'csv' ? openCsv(file, options) : openNdjson(file);
      };
      const source = await open(content);
      assert.deepEqual(String(await rejectAll(source, ['no'])), String(rejected));
      assert.deepEqual(await rejectAll(source, ['no']), rejected);
      // With the same settings, its rows are the same, and it is the file of its own rejected rows.
      const again = await open(rejected);
      assert.deepEqual((await readAll(again)).map(contentOf), (await readAll(source)).map(contentOf));
      assert.deepEqual(await rejectAll(again, ['no']), rejected);
    });
  }
}

test('a reason is one cell or member, whatever it quotes', async () => {
  const reasons = ['city: "a, b;\t', 'line\nbreak"'];
  const table = await openCsv(toFile('rows.csv', Buffer.from('name,city\nBo,"x"\n')), fromHeader);
  const [row] = await readAll(
    await openCsv(toFile('rejected.csv', await rejectAll(table, reasons)), fromHeader),
  );
  assert.deepEqual(row === undefined ? null : contentOf(row), [
    ['name', 'Bo'],
    ['city', 'x'],
  ]);
  const ndjson = openNdjson(toFile('rows.ndjson', Buffer.from('{"name":"Bo"}\n')));
  const line = JSON.parse(String(await rejectAll(ndjson, reasons)));
  assert.deepEqual(line, { rejected_because: reasons.join(' '), name: 'Bo' });
});
