import { read } from './kit/client.ts';
import { filledKapsule } from './kit/kapsules.ts';
import { onDatabases } from './kit/on-databases.ts';
import { roundsOr, rowsOr } from './kit/options.ts';
import { Others } from './kit/others.ts';
import { figure, note } from './kit/report.ts';
import type { Use } from './kit/service-process.ts';
import { median, ratioOf, timed } from './kit/times.ts';

/*
 * Exports over HTTP, compared with a read of the same rows as JSON, the whole list compared with the stream of the store alone,
 * and another person's calls beside each.
 */
const ROWS = rowsOr(1_000_000);
const ROUNDS = roundsOr(5);
const GOALS = { toRead: 3, toStore: 0.8 };
const IDLE_CALLS = 100;

const paths = {
  'the list': 'sql/read/internal',
  'sql/read': 'sql/read?format=json',
  CSV: 'export?format=csv',
  QVD: 'export?format=qvd',
};
type Format = keyof typeof paths;
const formats = Object.keys(paths) as Format[];
const growthMB: Partial<Record<Format, number>> = { 'the list': 150, CSV: 150, QVD: 400 };

const seconds = (values: readonly number[]) => `${(median(values) / 1000).toFixed(2)} s`;

await onDatabases(
  { title: 'Exports', kinds: ['embedded', 'postgres'], size: `${ROWS} rows` },
  async (database, { admin, service, listKapsules }) => {
    const id = await filledKapsule(database, admin, ROWS);
    const exported = (format: Format) => read(admin, `/api/kapsule/${id}/${paths[format]}`);
    const store = await database.open();
    const streamed = async () => {
      let bytes = 0;
      for await (const chunk of store.granules.stream(id, {})) bytes += chunk.length;
      if (bytes === 0) throw new Error('The stream was empty.');
    };
    const newRun = () => ({ ms: [] as number[], use: [] as Use[], others: new Others(listKapsules) });
    const runs = Object.fromEntries(formats.map((format) => [format, newRun()])) as Record<
      Format,
      ReturnType<typeof newRun>
    >;
    const storeMs: number[] = [];
    // The first ones start threads and compile code.
    for (const format of formats) await exported(format);
    for (let round = 0; round < ROUNDS; round += 1) {
      storeMs.push(await timed(streamed));
      for (const format of formats) {
        const { ms, use, others } = runs[format];
        await others.rest(IDLE_CALLS);
        service.tell('watch');
        ms.push(await others.during(timed(() => exported(format))));
        use.push(await service.ask<Use>('report'));
      }
    }
    await store.close();
    figure('the list, share of the stream of the store', ratioOf(storeMs, runs['the list'].ms), {
      atLeast: database.kind === 'embedded' ? GOALS.toStore : undefined,
    });
    for (const format of formats) {
      const { ms, use, others } = runs[format];
      const cpu = seconds(use.map(({ cpuMs }) => cpuMs));
      note(format, `${seconds(ms)}, processor time of the service ${cpu}`);
      if (format === 'CSV' || format === 'QVD')
        figure(`${format} to sql/read`, ratioOf(ms, runs['sql/read'].ms), { atMost: GOALS.toRead });
      const growth = Math.max(...use.map((each) => each.growthMB));
      figure(`growth of memory during ${format}`, growth, { atMost: growthMB[format], unit: ' MB' });
      others.report(format);
    }
  },
);
