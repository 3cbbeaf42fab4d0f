import type { GranuleInput } from '@kaptain/store';

const words =
  'the customer purchasing regional lead partner confirmed postponed questions approved delivery budget line ' +
  'Überraschung price contract count Monday follow review größer erwartet status open agreed rejected 要確認';
const list = words.split(' ');

/** Realistic comments, the same in every run. */
export function* comments(count: number, prefix: string): Generator<GranuleInput> {
  let seed = 42;
  const chance = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const word = () => list[chance(list.length)] ?? '';
  for (let n = 0; n < count; n += 1) {
    yield {
      key: `${prefix}-${String(n).padStart(7, '0')}`,
      user: `UserDirectory=CORP; UserId=u${chance(50)}`,
      data: {
        Comment: `${word()} ${word()} ${word()} ${word()} ${word()} ${word()}`,
        Amount: chance(1_000_000) / 100,
        Status: word(),
      },
    };
  }
}
