import { describe, expect, it } from 'vitest';
import type { Caller, ExtensionCaller } from '../../base/call/call.ts';
import { SheetLimit } from './sheet-limit.ts';

const ann: Caller = { userId: 'ann', username: 'ann', role: 'USER', isCreate: false, isFirstAdmin: false };
const sheet = { id: 'g', kapsuleIds: [], origin: 'https://hub', platformUser: '' };
const onSheet = (caller: Caller): ExtensionCaller => ({ ...caller, sessionId: 's', extension: sheet });

describe('the limits of a person on sheets', () => {
  it('count saves and reads apart, per person, for a minute', () => {
    let now = 0;
    const limit = new SheetLimit(() => now);
    for (let n = 0; n < 300; n++) limit.save(onSheet(ann));
    for (let n = 0; n < 1_200; n++) limit.read(onSheet(ann));
    expect(() => limit.save(onSheet(ann))).toThrow('Too many requests');
    expect(() => limit.read(onSheet(ann))).toThrow('Too many requests');
    limit.save(onSheet({ ...ann, userId: 'bob' }));
    now = 60_001;
    limit.save(onSheet(ann));
  });

  it('do not count calls with a session or an API key', () => {
    const limit = new SheetLimit(() => 0);
    const saves = () => {
      for (let n = 0; n < 2_000; n++) limit.save(ann);
    };
    expect(saves).not.toThrow();
  });
});
