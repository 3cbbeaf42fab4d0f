import { measure } from '../stores/measure.ts';
import { embeddedDatabase } from './database.ts';

/** Runs the benches of `stores` on the embedded store, whose goals are in granules-store, granules-http and people. */
const database = embeddedDatabase();
try {
  await measure(database, 1_000_000);
} finally {
  await database.stop();
}
