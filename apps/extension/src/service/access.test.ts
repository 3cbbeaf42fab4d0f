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

describe('a sign-in at Qlik Cloud', () => {
  /** Lets the window that the page opens post this message, which may arrive late, and close. */
  function answerWindow(
    message: object,
    from: { isForeign?: boolean; origin?: string; delayMs?: number } = {},
  ) {
    const listeners = new Set<(event: unknown) => void>();
    const answered = Promise.withResolvers<void>();
    const popup = {
      closed: false,
      close: () => undefined,
      location: {
        replace(address: string) {
          const state = new URL(address).searchParams.get('state');
          const source = from.isForeign ? {} : popup;
          const origin = from.origin ?? 'https://kaptain.example.com';
          const event = { source, origin, data: { state, ...message } };
          // Later, as a window does.
          queueMicrotask(() => {
            const arrive = () => listeners.forEach((listener) => listener(event));
            if (from.delayMs === undefined) arrive();
            else setTimeout(arrive, from.delayMs);
            popup.closed = true;
            answered.resolve();
          });
        },
      },
    };
    vi.stubGlobal('isSecureContext', true);
    vi.stubGlobal('window', { open: () => popup });
    vi.stubGlobal('addEventListener', (_: string, listener: (event: unknown) => void) =>
      listeners.add(listener),
    );
    vi.stubGlobal('removeEventListener', () => undefined);
    return answered.promise;
  }
  const message = { type: 'kaptain-cloud', code: 'c', tenant: 'https://t.qlikcloud.com', clientId: 'id' };
  const newAccess = () => new Access('https://kaptain.example.com', 'k', () => undefined);

  it('exchanges code and verifier at the tenant, and shows the access token again before ours ends', async () => {
    void answerWindow(message);
    const bodies: Record<string, unknown>[] = [];
    vi.stubGlobal('fetch', async (url: string, { body, credentials }: RequestInit) => {
      requests.push({ url, credentials });
      bodies.push(JSON.parse(body as string));
      return url.endsWith('/oauth/token') ? Response.json({ access_token: 'theirs' }) : answer();
    });
    const access = newAccess();
    await access.signIn();
    expect(access.author).toBe('CORP\\ann');
    expect(bodies[0]).toMatchObject({
      code: 'c',
      client_id: 'id',
      redirect_uri: 'https://kaptain.example.com/extension/cloud',
    });
    expect(bodies[0]?.['code_verifier']).toMatch(/^[\w-]{43}$/);
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    const shown = 'https://kaptain.example.com/api/extension/tokens/cloud';
    expect(requests.map(({ url }) => url)).toEqual(['https://t.qlikcloud.com/oauth/token', shown, shown]);
    expect(bodies[2]).toEqual({ accessToken: 'theirs', kapsuleIds: ['k'] });
    expect(requests.every(({ credentials }) => credentials === 'omit')).toBe(true);
    answer = () => Response.json({ message: 'no' }, { status: 403 });
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(access.token).toBeUndefined();
  });

  it('takes a message that arrives when its window is closed already', async () => {
    const answered = answerWindow({ type: 'kaptain-sign-in', code: 'c' }, { delayMs: 900 });
    const access = newAccess();
    const signedIn = access.signIn();
    await answered;
    await vi.advanceTimersByTimeAsync(MINUTE);
    await signedIn;
    expect(access.author).toBe('CORP\\ann');
  });

  it('says nothing of a window that was closed before the next one was opened', async () => {
    const closed = answerWindow({ type: 'nothing' });
    const access = newAccess();
    const first = access.signIn();
    await closed;
    void answerWindow({ type: 'kaptain-sign-in', code: 'c' });
    expect([await access.signIn(), access.author]).toEqual([true, 'CORP\\ann']);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect([await first, access.author]).toEqual([false, 'CORP\\ann']);
  });

  it('says nothing of a second window that was closed when the first one had signed in', async () => {
    const access = newAccess();
    const opened = answerWindow({ type: 'kaptain-sign-in', code: 'c' }, { delayMs: 900 });
    const first = access.signIn();
    await opened;
    const closed = answerWindow({ type: 'nothing' });
    const second = access.signIn();
    await closed;
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect([await first, await second, access.author]).toEqual([true, false, 'CORP\\ann']);
  });

  it('keeps the person of the later window when an earlier one signs in after it', async () => {
    const access = newAccess();
    const opened = answerWindow({ type: 'kaptain-sign-in', code: 'c' }, { delayMs: 900 });
    const first = access.signIn();
    await opened;
    void answerWindow({ type: 'kaptain-sign-in', code: 'c' });
    expect(await access.signIn()).toBe(true);
    answer = () => Response.json({ token: 'other', author: 'CORP\\bob' });
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect([await first, access.author]).toEqual([false, 'CORP\\ann']);
  });

  it.each([
    ['with another state', { ...message, state: 'other' }, {}],
    ['of another window', message, { isForeign: true }],
    ['of another origin', message, { origin: 'https://evil.example.com' }],
    ['of another kind', { ...message, type: 'kaptain-kapsule' }, {}],
  ])('does not take a message %s', async (_, sent, from) => {
    const answered = answerWindow(sent, from);
    const outcome = newAccess()
      .signIn()
      .catch((error: Error) => error.message);
    await answered;
    // The page goes on waiting, until the person closes the window.
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(await outcome).toBe('The sign-in was not finished.');
    expect(requests).toEqual([]);
  });
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
