import type { SettingsUpdate } from '@kaptain/contract';
import { type Store, UnavailableError, type UserRecord } from '@kaptain/store';
import type { OpenDatabase } from '../../config/settings/open-database.ts';
import { Refusal } from '../../config/settings/refusal.ts';
import { categoryOf, hints } from './failure-category.ts';
import { inTime } from './in-time.ts';

const LIMIT_MS = 5000;

interface Deps {
  store: Store;
  openDatabase: OpenDatabase;
  clock: () => number;
}

export type SwitchDatabase = (settings: SettingsUpdate, userId: string) => Promise<void>;

/**
 * Proves that another database can be used, and makes an empty one know who administers it: the first admin and
 * whoever acts now. Otherwise the next visitor would be asked to create an admin account.
 */
export function databaseSwitch({ store, openDatabase, clock }: Deps): SwitchDatabase {
  async function carry(target: Store, accounts: readonly UserRecord[]): Promise<void> {
    await target.transaction(async (unit) => {
      if ((await unit.instance.all()).length > 0) return;
      await unit.instance.insert({ singleton: 'instance', initializedAt: new Date(clock()).toISOString() });
      for (const { version: _, ...account } of accounts) await unit.users.insert(account);
    });
  }

  return async (settings, userId) => {
    const accounts = (await store.users.all()).filter(
      ({ id, isFirstAdmin }) => isFirstAdmin || id === userId,
    );
    const opening = openDatabase(settings);
    try {
      const target = await inTime(LIMIT_MS, opening);
      await inTime(LIMIT_MS, target.ping());
      await inTime(LIMIT_MS, carry(target, accounts));
    } catch (error) {
      // What the store says of itself is made for people; what a driver says may hold more than that.
      const why = error instanceof UnavailableError ? error.message : hints[categoryOf(error)];
      throw new Refusal('db.KAPTAIN_DB_HOST', `The database can not be used. ${why}`);
    } finally {
      opening.then((target) => target.close()).catch(() => undefined);
    }
  };
}
