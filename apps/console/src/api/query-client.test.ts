import { onlineManager } from '@tanstack/react-query';
import { expect, onTestFinished, test } from 'vitest';
import { createQueryClient } from './query-client.ts';

test('a call of an offline browser fails at once instead of waiting for the network', async () => {
  onlineManager.setOnline(false);
  onTestFinished(() => onlineManager.setOnline(true));
  const queries = createQueryClient();
  const call = async () => {
    throw new Error('There is no network.');
  };
  await expect(queries.fetchQuery({ queryKey: ['any'], queryFn: call })).rejects.toThrow('no network');
  const mutation = queries.getMutationCache().build(queries, { mutationFn: call });
  await expect(mutation.execute(undefined)).rejects.toThrow('no network');
});
