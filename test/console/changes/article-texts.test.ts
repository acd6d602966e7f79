/** Hostile texts of articles, as the editor and the worker of the preview read them: what that costs grows with their length, and no more. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import fc from 'fast-check';
import { markdownOf } from '../../../packages/console/src/features/articles/markdown-language.ts';
import {
  allowedAttributes,
  allowedElements,
  isSafeLink,
  type PreviewNode,
} from '../../../packages/console/src/features/articles/preview/nodes.ts';
import { mostNodes, parseText } from '../../../packages/console/src/features/articles/preview/parse.ts';
import { findSuperlinear, hostileUnits } from '../../support/growth.ts';

/** What made parsers of Markdown slow, when it is repeated. */
const units = [
  ...hostileUnits,
  ...[
    '*a_',
    '*a_\n',
    'a**b',
    '[',
    '[a](b',
    '![[',
    '`',
    '` ``',
    '<div>',
    '<div>\n',
    'a <b ',
    '>',
    '> ',
    '>>>>>>>>>>>>>>>>>>>>a\n',
  ],
  ...[
    '- ',
    '> - ',
    '1. ',
    '- a\n',
    '- a\n  - b\n    - c\n',
    '[a]: b "\n',
    '```\n',
    '    a\n',
    '# a\n',
    'a\n=\n',
    '|a',
    '<!--',
    '&',
    '\\*',
  ],
];

test('the editor parses a text in time that grows with its length', () => {
  for (const unit of units) {
    const parse = (size: number) => {
      const doc = unit.repeat(size / unit.length);
      const state = EditorState.create({ doc, extensions: markdownOf(() => undefined) });
      assert.ok(ensureSyntaxTree(state, doc.length, 60_000) !== null);
    };
    assert.equal(findSuperlinear(15_000, parse), null, JSON.stringify(unit));
  }
});

test('the editor knows headings, emphasis, links and lists of usual texts', () => {
  const text = '# One\n\nTwo *three* [four](https://example.com) `five`\n\n- six\n  > seven\n\n<b>x</b>\n';
  const { parser } = markdownOf(() => undefined).language;
  const names = new Set<string>();
  parser.parse(text).iterate({ enter: ({ name }) => void names.add(name) });
  for (const name of [
    'ATXHeading1',
    'Emphasis',
    'Link',
    'URL',
    'InlineCode',
    'BulletList',
    'Blockquote',
    'HTMLTag',
  ])
    assert.ok(names.has(name), name);
});

function count(nodes: readonly PreviewNode[]): { nodes: number; depth: number } {
  let [total, depth] = [0, 0];
  const visit = (list: readonly PreviewNode[], level: number) => {
    depth = Math.max(depth, level);
    for (const node of list) {
      total += 1;
      if (typeof node === 'string') continue;
      if (!allowedElements.has(node.name)) assert.fail(node.name);
      if (Object.keys(node.attributes).length > 0)
        assert.deepEqual(allowedAttributes(node.name, node.attributes), node.attributes);
      visit(node.children, level + 1);
    }
  };
  visit(nodes, 0);
  return { nodes: total, depth };
}

test('what the preview shows of a text is bounded in parts and in depth, and consists of what is allowed', () => {
  for (const unit of ['<div>', '<h1>a', '<td>a', '<b><p>x', '<svg><g>', '<p>x</p>']) {
    for (const size of [50_000, 400_000]) {
      const { blocks } = parseText(unit.repeat(size / unit.length), 'HTML');
      const { nodes, depth } = count(blocks);
      assert.ok(nodes <= mostNodes, `${unit}: ${nodes} parts`);
      assert.ok(depth <= 51, `${unit}: ${depth} deep`);
    }
  }
  assert.equal(parseText('<h1>a</h1>'.repeat(40_000), 'HTML').extent, 'cut');
  assert.equal(parseText('# a\n\n*b*\n', 'MARKDOWN').extent, 'whole');
  const pieces = fc.constantFrom(
    '<p>',
    '</p>',
    '<svg>',
    '</svg>',
    '<script>',
    '</script>',
    '<a href="javascript:x">',
    '</a>',
    '<b onclick=x>',
    'text',
    '<!--',
    '-->',
    '<math>',
    '</math>',
    '<table><td>',
    '<img src=x onerror=y>',
    '<style>',
    '</style>',
    '&lt;',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (list) => {
      count(parseText(list.join(''), 'HTML').blocks);
    }),
  );
});

test('elements are left out with what they contain where that is no text, and what follows them is shown', () => {
  assert.deepEqual(
    parseText('<svg><style>x</style><g>a</g></svg><p onclick=x>b <u>c</u></p><blink>d</blink>', 'HTML')
      .blocks,
    [{ name: 'p', attributes: {}, children: ['b ', { name: 'u', attributes: {}, children: ['c'] }] }, 'd'],
  );
});

test('HTML that is never closed and hides what follows is told, and none that hides nothing', () => {
  const end = `<p>${'The end. '.repeat(20)}</p>`;
  for (const html of [
    '<math><mtext>',
    '<svg>',
    '<script>',
    '<style><!--</style><select>',
    '<!-- a',
    '<a title="b',
    '<textarea>',
  ])
    assert.equal(parseText(`a ${html}${end}`, 'HTML').extent, 'unclosed', html);
  for (const html of [
    '<p>',
    '<b><table>',
    '<math></math>',
    '<embed src=x>',
    '<input>',
    '<!-- a -->',
    'a < b',
    '&am',
    '</math>',
    '<svg/>',
  ])
    assert.equal(parseText(`${html}${end}${html}`, 'HTML').extent, 'whole', html);
  assert.equal(parseText(`<math>\n\n${end}\n`, 'MARKDOWN').extent, 'unclosed');
});

test('a link leads to a page, an address of mail or a telephone, and nowhere else', () => {
  const base = 'https://console.example.com';
  for (const address of [
    'https://example.com',
    '/a',
    '#b',
    'mailto:a@example.com',
    'tel:+441',
    '//example.com',
  ])
    assert.equal(isSafeLink(address, base), true, address);
  for (const address of [
    'javascript:x',
    ' \u0001java\nscript:x',
    'data:text/html,x',
    'blob:x',
    'vbscript:x',
    'file:///etc',
  ])
    assert.equal(isSafeLink(address, base), false, address);
});
