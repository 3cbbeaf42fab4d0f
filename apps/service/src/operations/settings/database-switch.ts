import type { SettingsUpdate } from '@kaptain/contract';
import { type Store, UnavailableError, type UserRecord } from '@kaptain/store';
import { Refusal } from '../../base/config/settings/refusal.ts';
import type { OpenDatabase } from '../../base/database/open-database.ts';
import { DATABASE_SWITCH_MS } from '../tuning.ts';
import { categoryOf, hints } from './failure-category.ts';
import { inTime } from './in-time.ts';

interface Deps {
  store: Store;
  openDatabase: OpenDatabase;
  clock: () => number;
}

export type SwitchDatabase = (settings: SettingsUpdate, userId: string) => Promise<void>;

/**
 * Checks that another database can be used, and copies the first admin and the acting admin into an empty one.
 * Otherwise the next visitor could create the first admin there.
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
      const target = await inTime(DATABASE_SWITCH_MS, opening);
      await inTime(DATABASE_SWITCH_MS, target.ping());
      await inTime(DATABASE_SWITCH_MS, carry(target, accounts));
    } catch (error) {
      // Messages of the store are written for users; those of drivers may contain secrets.
      const why = error instanceof UnavailableError ? error.message : hints[categoryOf(error)];
      throw new Refusal('db.KAPTAIN_DB_HOST', `The database can not be used. ${why}`);
    } finally {
      opening.then((target) => target.close()).catch(() => undefined);
    }
  };
}
