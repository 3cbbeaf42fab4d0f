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
 * Coverage-guided fuzzing: inputs that reach new code are kept and mutated further.
 * `node fuzz.ts [--seconds 20] [--seed N] [--keep]`. A failing input is stored in the corpus folder, which the tests
 * replay from then on; --keep also stores small inputs that reached new code.
 */
const { values } = parseArgs({
  options: { seconds: { type: 'string' }, seed: { type: 'string' }, keep: { type: 'boolean' } },
});
const seconds = Number(values.seconds ?? 20);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const CORPUS = new URL('corpus/', import.meta.url);
const SMALL = 8192;
/** Taking coverage is slow, so it is taken once per batch; only a batch with new code is run input by input. */
const BATCH = 25;

const random = randomFrom(seed);
const corpus = seeds();
const coverage = new Coverage();
await coverage.start();
for (const bytes of corpus) await run(bytes);
coverage.learn(await coverage.newBlocks());

let runs = 0;
let finds = 0;
const end = performance.now() + seconds * 1000;
while (performance.now() < end) {
  const batch = Array.from({ length: BATCH }, () => mutate(randomInput(), random, randomInput()));
  for (const bytes of batch) await run(bytes);
  runs += batch.length;
  if ((await coverage.newBlocks()).length === 0) continue;
  for (const bytes of batch) {
    await run(bytes);
    const newBlocks = await coverage.newBlocks();
    if (newBlocks.length === 0) continue;
    coverage.learn(newBlocks);
    corpus.push(bytes);
    finds++;
    if (values.keep && bytes.length <= SMALL) store(bytes);
  }
}
process.stdout.write(
  `${runs} inputs in ${seconds} s, seed ${seed}: ${coverage.size} code blocks reached, ${finds} new inputs, no failure\n`,
);
process.exit(0);

function randomInput(): Uint8Array {
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
