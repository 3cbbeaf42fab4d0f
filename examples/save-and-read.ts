/** Saves two granules, provokes a version conflict, reads all granules and confirms the reload. See README.md. */
import { ApiError, api, createClient, pathOf } from '@kaptain/contract';

interface Result {
  kapsuleId: string;
  conflict: unknown;
  read: { key: string; data: Record<string, unknown> }[];
  reloaded: number;
}

export async function saveAndRead(url: string, key: string): Promise<Result> {
  const { dataApi } = createClient(api, {
    baseUrl: url,
    token: () => key,
    onUnauthorized: () => undefined,
  });

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
  await dataApi.upsert({ params, body: { granules } });

  // Version 0 requires a new key; this key exists already.
  const stale = { key: 'A-1', data: { Comment: 'Too late' }, version: 0 };
  const conflict = await dataApi.upsert({ params, body: { granules: [stale] } }).then(
    () => undefined,
    (error: unknown) => (error instanceof ApiError ? error.details : undefined),
  );

  // The watermark is a response header, which the typed client does not return.
  const answer = await fetch(url + pathOf(api.dataApi.read, { params }), { headers: { 'x-api-key': key } });
  const read = (await answer.json()) as Result['read'];
  const watermark = answer.headers.get('x-kaptain-watermark') ?? '';
  const { reloaded } = await dataApi.confirmReload({ params, body: { watermark } });
  return { kapsuleId: kapsule._id, conflict, read, reloaded };
}

if (import.meta.main) {
  const { KAPTAIN_URL: url = 'http://localhost:8000', KAPTAIN_KEY: key = '' } = process.env;
  process.stdout.write(`${JSON.stringify(await saveAndRead(url, key), null, 2)}\n`);
}
