import { measure } from '../stores/measure.ts';
import { mongodbDatabase } from './database.ts';

/**
 * Runs the benches of `stores` on MongoDB, without goals, because results depend on the server, which it prints: only a
 * real mongod (on the PATH, or TEST_MONGODB_URI) is representative of production and can hold a million rows.
 */
const database = await mongodbDatabase();
try {
  await measure(database, 20_000);
} finally {
  await database.stop();
}
