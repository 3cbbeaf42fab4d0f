import type { GranuleInput } from '@kaptain/store';

const words =
  'the customer purchasing regional lead partner confirmed postponed questions approved delivery budget line ' +
  'Überraschung price contract count Monday follow review größer erwartet status open agreed rejected 要確認';
const list = words.split(' ');

const names =
  'Deutschland,España,Österreich,日本,Россия,Brasil,France,United States,中国,Ελλάδα,Türkiye,한국'.split(',');
const FIRST_DAY = Date.UTC(2009, 6, 6);
const DAY_MS = 86_400_000;

/**
 * Comments as people leave them, the same in every run: 30 % have no text and 5 % no country, so that rows differ in their
 * shape. Benches on rows of one shape do not notice code that is fast for these alone.
 */
export function* comments(count: number, prefix: string): Generator<GranuleInput> {
  let seed = 42;
  const chance = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const word = () => list[chance(list.length)] ?? '';
  for (let n = 0; n < count; n += 1) {
    const country = chance(200);
    yield {
      key: `${prefix}-${String(n).padStart(7, '0')}`,
      user: `UserDirectory=CORP; UserId=u${chance(50)}`,
      data: {
        ...(chance(100) >= 30 && {
          Comment: `${word()} ${word()} ${word()} ${word()} ${word()} ${word()}, größe ${chance(97)} äöü`,
        }),
        Amount: chance(200_000) * 1.37 + 0.013,
        OrderDate: new Date(FIRST_DAY + chance(3_650) * DAY_MS).toISOString().slice(0, 10),
        ...(chance(100) >= 5 && { Country: `${names[country % names.length]} ${country}` }),
      },
    };
  }
}
