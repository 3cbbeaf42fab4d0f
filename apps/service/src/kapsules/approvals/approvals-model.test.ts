import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sized } from '../../../../../tools/test-size.ts';
import type { Caller } from '../../testing/caller.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { type ApprovedKapsule, approvedKapsule } from './testing/approved-kapsule.ts';

type Data = { comment?: string; amount?: number };
type Values = Record<string, string | number | null>;
interface Waiting {
  author: Name;
  key: string;
  isNew: boolean;
  base: Values;
  values: Values;
}
const names = ['ann', 'bob', 'eve'] as const;
type Name = (typeof names)[number];

const data = fc.record(
  { comment: fc.constantFrom('a', 'b'), amount: fc.constantFrom(1, 2, 3) },
  { requiredKeys: [] },
);
const key = fc.constantFrom('k', 'l');
const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('save' as const), by: fc.constantFrom(...names), key, data }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('accept' as const, 'refuse' as const, 'withdraw' as const),
      by: fc.constantFrom(...names),
      which: fc.nat(9),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), key }) },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

const fields = ['comment', 'amount'] as const;
const valueOf = (one: Data | undefined, field: string) => (one as Values | undefined)?.[field] ?? null;

/** The whole of it in a few lines: what is stored, and what waits; `amount` needs approval. */
class Model {
  readonly stored = new Map<string, Data>();
  waiting: Waiting[] = [];

  save({ by, key: name, data: given }: Extract<Command, { do: 'save' }>): void {
    const before = this.stored.get(name);
    const changed = fields.filter((field) => valueOf(given, field) !== valueOf(before, field));
    if (!changed.includes('amount')) return void this.stored.set(name, given);
    const proposed = before ? ['amount' as const] : changed;
    const { amount: _, ...rest } = given;
    if (before)
      this.stored.set(name, { ...rest, ...(before.amount !== undefined && { amount: before.amount }) });
    const pick = (from: Data | undefined) =>
      Object.fromEntries(proposed.map((field) => [field, valueOf(from, field)]));
    const own = this.waiting.find(({ author, key: other }) => author === by && other === name);
    const next = { author: by, key: name, isNew: !before, base: pick(before), values: pick(given) };
    if (own)
      Object.assign(own, next, {
        base: { ...own.base, ...next.base },
        values: { ...own.values, ...next.values },
      });
    else this.waiting.push(next);
  }

  /** Whether it succeeds. */
  close(how: 'accept' | 'refuse' | 'withdraw', by: Name, one: Waiting): boolean {
    const isAllowed = how === 'withdraw' ? by === one.author : by !== one.author && by !== 'ann';
    if (!isAllowed || (how === 'accept' && !this.#accept(one))) return false;
    this.waiting = this.waiting.filter((other) => other !== one);
    return true;
  }

  #accept({ key: name, isNew, base, values }: Waiting): boolean {
    const before = this.stored.get(name);
    const isInTheWay = Object.keys(values).some((field) => {
      const now = valueOf(before, field);
      return now !== base[field] && !(before && now === values[field]);
    });
    if (isInTheWay || (!before && !isNew)) return false;
    const all = Object.entries({ ...before, ...values }).filter(([, value]) => value !== null);
    this.stored.set(name, Object.fromEntries(all));
    return true;
  }
}

let app: TestApp;
let owner: Caller;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Does it in both; what the service says is to be what the model says. */
async function run(
  world: ApprovedKapsule,
  model: Model,
  one: Command,
): Promise<[said: unknown, wanted: unknown]> {
  const { path, save, decide, open, admin } = world;
  if (one.do === 'save') {
    model.save(one);
    return [(await save(world[one.by], one.key, one.data)).status, 200];
  }
  if (one.do === 'remove') {
    model.stored.delete(one.key);
    return [(await owner.call('DELETE', `${path}/granules`, { body: { keys: [one.key] } })).status, 200];
  }
  const wanted = model.waiting[one.which % Math.max(1, model.waiting.length)];
  if (!wanted) return [0, 0];
  const proposal = (await open(admin)).find(
    ({ author, key: name }) => author === `TEST\\${wanted.author}` && name === wanted.key,
  );
  if (!proposal) return ['waits', 'does not wait'];
  const of = world[one.by];
  const body = { proposalIds: [proposal._id] };
  const answer = async () => {
    if (one.do === 'withdraw')
      return (await of.call('POST', `${path}/proposals/withdraw`, { body })).body['results'];
    // One who may not decide at all gets 403.
    return one.by === 'ann' ? [{ outcome: 'failed' }] : decide(of, one.do, [proposal], 'no');
  };
  const isDone = ((await answer()) as { outcome: string }[])[0]?.outcome !== 'failed';
  return [isDone, model.close(one.do, one.by, wanted)];
}

const filled = (values: object | undefined) =>
  values && Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

it('saves and decisions in any order leave what a simple model says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (commands) => {
      const world = await approvedKapsule(app);
      // An account has only so many sessions.
      owner = await app.asUser('olga');
      const model = new Model();
      for (const one of commands) {
        const [said, wanted] = await run(world, model, one);
        expect([one, said]).toEqual([one, wanted]);
      }
      for (const name of ['k', 'l']) expect(filled(await world.stored(name))).toEqual(model.stored.get(name));
      const waiting = (await world.open(world.admin)).map(({ author, key: name, values, base }) => ({
        author: author.replace('TEST\\', ''),
        key: name,
        values,
        base,
      }));
      const left = model.waiting.map(({ author, key: name, base, values }) => ({
        author,
        key: name,
        base,
        values,
      }));
      const sorted = (list: readonly { author: string; key: string }[]) =>
        list.toSorted((a, b) => (`${a.author} ${a.key}` < `${b.author} ${b.key}` ? -1 : 1));
      expect(sorted(waiting)).toEqual(sorted(left));
    }),
    { numRuns: sized(200, 12) },
  );
});
