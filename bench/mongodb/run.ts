import { measure } from '../stores/measure.ts';
import { mongodbDatabase } from './database.ts';

/**
 * Runs the benches of `stores` on MongoDB, without goals, because results depend on the server: the one that TEST_MONGODB_URI
 * names, else a `mongod` on the PATH, else that of the tests.
 */
const database = await mongodbDatabase();
try {
  await measure(database, 20_000);
} finally {
  await database.stop();
}
