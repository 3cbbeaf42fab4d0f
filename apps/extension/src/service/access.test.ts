import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Access } from './access.ts';

const MINUTE = 60_000;
const requests: { url: string; credentials: unknown }[] = [];
let answer: () => Response;

beforeEach(() => {
  vi.useFakeTimers();
  requests.length = 0;
  answer = () => Response.json({ token: 't', author: 'CORP\\ann', expiresAt: '', kapsuleIds: [] });
  vi.stubGlobal('location', new URL('https://qlik.example.com/sense'));
  vi.stubGlobal('fetch', async (url: string, { credentials }: RequestInit) => {
    requests.push({ url, credentials });
    return answer();
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a sign-in by the session of Qlik Sense', () => {
  it('sends cookies to the service on the same host, and shows the proof again before the token ends', async () => {
    const access = new Access('https://qlik.example.com:8000', 'k', () => undefined);
    expect([await access.signInBySession(), access.author]).toEqual([true, 'CORP\\ann']);
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    const sent = {
      url: 'https://qlik.example.com:8000/api/extension/tokens/session',
      credentials: 'include',
    };
    expect(requests).toEqual([sent, sent]);
    // After a sleep of the computer the service has forgotten the token; the session still holds.
    access.forget();
    await vi.advanceTimersByTimeAsync(0);
    expect([access.token, requests.length]).toEqual(['t', 3]);
    answer = () => Response.json({ message: 'no' }, { status: 403 });
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect([access.token, access.lastAuthor]).toEqual([undefined, 'CORP\\ann']);
  });

  it('is not tried on another host, and is no failure when it is refused', async () => {
    const elsewhere = new Access('https://kaptain.example.com', 'k', () => undefined);
    expect([await elsewhere.signInBySession(), requests]).toEqual([false, []]);
    answer = () => Response.json({ message: 'no' }, { status: 403 });
    const refused = new Access('https://qlik.example.com:8000', 'k', () => undefined);
    expect([await refused.signInBySession(), refused.token]).toEqual([false, undefined]);
  });
});
