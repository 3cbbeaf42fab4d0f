import { expect, it } from 'vitest';
import { testApp } from '../../testing/test-app.ts';

const PATH = '/configuration/sys/get/info';

it('shows the settings to an ADMIN only, with every secret masked', async () => {
  await using app = await testApp({
    settingsFile: { settings: { apiKey: true, https: true, pfxPassword: 'canary' } },
  });
  const [vera, admin] = [await app.asUser('vera'), await app.asAdmin()];
  expect((await app.asNobody.call('GET', PATH)).status).toBe(401);
  expect((await vera.call('GET', PATH)).status).toBe(403);
  const answer = await admin.call('GET', PATH);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    settings: { apiKey: true, pfxPassword: '********', qlikHost: 'CERT' },
    security: { signExpiresIn: { number: 24, timeUnit: 'h' } },
  });
  expect(JSON.stringify(answer.body)).not.toContain('canary');
});
