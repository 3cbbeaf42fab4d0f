import { expect, test } from 'vitest';
import { tabStopsIn } from './tab-stops.ts';

test('Tab visits what is enabled, and the checked one of radio buttons', () => {
  document.body.innerHTML = `<form><button disabled>1</button><button tabindex="-1">2</button><a href="/">3</a>
    <input type="radio" name="kind" value="4"><input type="radio" name="kind" value="5" checked>
    <input type="radio" name="other" value="6"><div aria-hidden="true"><button>7</button></div></form>`;
  const stops = tabStopsIn(document.body).map((stop) =>
    stop instanceof HTMLInputElement ? stop.value : stop.textContent,
  );
  document.body.replaceChildren();
  expect(stops).toEqual(['3', '5', '6']);
});
