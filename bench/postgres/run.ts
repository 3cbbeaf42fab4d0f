import { measure } from '../stores/measure.ts';
import { postgresDatabase } from './database.ts';

/** Runs the benches of `stores` on PostgreSQL, with a million granules; the goals are ratios that must be reached (`measure`). */
const database = await postgresDatabase();
try {
  await measure(database, 1_000_000, {
    listToRows: 2.5,
    listToJson: 0.8,
    small: 0.7,
    bulk: 0.4,
    rareSearch: 20,
  });
} finally {
  await database.stop();
}
