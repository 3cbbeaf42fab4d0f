import { expect, it } from 'vitest';
import { addKapsule } from '../../testing/kapsules.ts';
import { testApp } from '../../testing/test-app.ts';

it('checks streamed answers in tests too: one that shows an internal field is cut', async () => {
  await using app = await testApp();
  const admin = await app.asAdmin();
  const { id } = await addKapsule(app.store, 'sales');
  await app.store.granules.upsert(id, [{ key: '1', user: 'vera', data: { passwordHash: 'x' } }]);
  const outcome = await admin.get(`/api/kapsule/${id}/sql/read/internal`).then(
    ({ status }) => status,
    () => 'cut',
  );
  expect(outcome).toBe('cut');
});
