import { measure } from '../stores/measure.ts';
import { mongodbPlace } from './place.ts';

/**
 * The benches of PostgreSQL on MongoDB, without goals, because the server decides. It says which one that was: only a
 * real mongod (on the PATH, or TEST_MONGODB_URI) tells anything about production, and only that one can do a million rows.
 */
const place = await mongodbPlace();
try {
  await measure(place, 20_000);
} finally {
  await place.stop();
}
