/** Saves two granules, provokes a version conflict, reads all granules and confirms the reload. See README.md. */
import { ApiError, kaptainClient, type ReadGranule, readGranules } from '@kaptain/client';

interface Result {
  kapsuleId: string;
  conflict: unknown;
  read: ReadGranule[];
  reloaded: number;
}

export async function saveAndRead(url: string, key: string): Promise<Result> {
  const kaptain = kaptainClient({ url, token: key });
  const { dataApi } = kaptain;

  const kapsule = await dataApi.createKapsule({
    body: {
      name: `Example of ${new Date().toISOString()}`,
      keyField: 'OrderID',
      fields: [
        { name: 'Comment', type: 'text' },
        { name: 'Amount', type: 'number' },
      ],
    },
  });
  const params = { id: kapsule._id };

  const granules = [
    { key: 'A-1', data: { Comment: 'Confirmed', Amount: 12.5 } },
    { key: 'A-2', data: { Comment: 'Late' } },
  ];
  // The author is a user of the platform.
  await dataApi.upsert({ params, body: { granules } }, { author: 'UserDirectory=CORP; UserId=Jürgen' });

  // Version 0 requires a new key; this key exists already.
  const stale = { key: 'A-1', data: { Comment: 'Too late' }, version: 0 };
  const conflict = await dataApi.upsert({ params, body: { granules: [stale] } }).then(
    () => undefined,
    (error: unknown) => (error instanceof ApiError ? error.details : undefined),
  );

  const read: ReadGranule[] = [];
  const { watermark, granules: stored } = await readGranules(kaptain, kapsule._id);
  for await (const granule of stored) read.push(granule);
  const { reloaded } = await dataApi.confirmReload({ params, body: { watermark } });
  return { kapsuleId: kapsule._id, conflict, read, reloaded };
}

const { KAPTAIN_URL: url = 'http://localhost:8000', KAPTAIN_KEY: key = '' } = process.env;
process.stdout.write(`${JSON.stringify(await saveAndRead(url, key), null, 2)}\n`);
