import { afterEach, expect, test } from 'vitest';
import { turnPage } from './turn-page.ts';

afterEach(() => document.body.replaceChildren());

test('at the last page, the key for the next one is taken and moves nothing', () => {
  document.body.innerHTML = `<main><div class="ant-table-wrapper"><button>Edit</button>
    <ul class="ant-pagination"><li class="ant-pagination-prev"></li>
    <li class="ant-pagination-next" aria-disabled="true"></li></ul></div></main>`;
  const edit = document.querySelector('button');
  edit?.focus();
  expect(turnPage(1)).toBe(true);
  expect(document.activeElement).toBe(edit);
});
