import { expect, test } from 'vitest';
import { stripCodeFence } from './strip-code-fence.js';

test.each([
  ['plain', '# A\n\nb', '# A\n\nb'],
  ['around all of it', '```\n# A\n```', '# A\n'],
  ['named', '```markdown\n# A\n\nb\n```\n', '# A\n\nb\n'],
  ['named in capitals', ' ```MD\r\n# A\n```', '# A\n'],
  ['named, around code', '```markdown\na\n```js\nb\n```\n```', 'a\n```js\nb\n```\n'],
  ['of code', '```js\na()\n```', '```js\na()\n```'],
  ['of code at both ends', '```\na\n```\nb\n```\nc\n```', '```\na\n```\nb\n```\nc\n```'],
  ['never closed', '```\n# A', '```\n# A'],
  ['alone', '```', '```'],
  ['in one line', '``````', '``````'],
  ['empty', '', ''],
])('a fence %s', (_, text, stripped) => expect(stripCodeFence(text)).toBe(stripped));
