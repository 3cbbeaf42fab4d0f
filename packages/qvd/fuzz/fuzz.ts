import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { craft } from '../src/testing/craft.ts';
import { CONTENT_CASES } from '../src/testing/hostile/content-cases.ts';
import { EXTENT_CASES } from '../src/testing/hostile/extent-cases.ts';
import { ROW_CASES } from '../src/testing/hostile/row-cases.ts';
import { SYMBOL_CASES } from '../src/testing/hostile/symbol-cases.ts';
import { Coverage } from './coverage.ts';
import { mutate, randomFrom } from './mutate.ts';
import { expectSafe } from './oracle.ts';

/**
 * Coverage-guided fuzzing: inputs that reach new code are kept and changed further.
 * `node fuzz.ts [--seconds 20] [--seed N] [--keep]`. A failing input is stored in the corpus folder, which the tests
 * replay from then on; --keep also stores the small inputs that reached something new.
 */
const { values } = parseArgs({
  options: { seconds: { type: 'string' }, seed: { type: 'string' }, keep: { type: 'boolean' } },
});
const seconds = Number(values.seconds ?? 20);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const CORPUS = new URL('corpus/', import.meta.url);
const SMALL = 8192;
/** Asking for coverage is slow, so it is asked once per batch and only a batch that found something is told apart. */
const BATCH = 25;

const random = randomFrom(seed);
const corpus = seeds();
const coverage = new Coverage();
await coverage.start();
for (const bytes of corpus) await run(bytes);
coverage.learn(await coverage.news());

let runs = 0;
let finds = 0;
const end = performance.now() + seconds * 1000;
while (performance.now() < end) {
  const batch = Array.from({ length: BATCH }, () => mutate(any(), random, any()));
  for (const bytes of batch) await run(bytes);
  runs += batch.length;
  if ((await coverage.news()).length === 0) continue;
  for (const bytes of batch) {
    await run(bytes);
    const news = await coverage.news();
    if (news.length === 0) continue;
    coverage.learn(news);
    corpus.push(bytes);
    finds++;
    if (values.keep && bytes.length <= SMALL) store(bytes);
  }
}
process.stdout.write(
  `${runs} inputs in ${seconds} s, seed ${seed}: ${coverage.size} places reached, ${finds} finds, no failure\n`,
);
process.exit(0);

function any(): Uint8Array {
  return corpus[Math.floor(random() * corpus.length)] as Uint8Array;
}

async function run(bytes: Uint8Array): Promise<void> {
  try {
    await expectSafe(bytes);
  } catch (error) {
    const name = store(bytes);
    process.stderr.write(
      `Seed ${seed}, input ${name}: ${error instanceof Error ? error.stack : String(error)}\n`,
    );
    process.exit(1);
  }
}

function seeds(): Uint8Array[] {
  const crafted = [...CONTENT_CASES, ...EXTENT_CASES, ...ROW_CASES, ...SYMBOL_CASES].map(({ input }) =>
    input(),
  );
  const real = [CORPUS, new URL('../samples/', import.meta.url)].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.(?:qvd|bin)$/.test(name))
      .map((name) => readFileSync(new URL(name, folder))),
  );
  const all = [craft(), ...crafted, ...real].filter((seed) => seed instanceof Uint8Array);
  return all.filter(({ length }) => length <= SMALL);
}

function store(bytes: Uint8Array): string {
  const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.bin`;
  writeFileSync(new URL(name, CORPUS), bytes);
  return name;
}
