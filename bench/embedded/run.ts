import { measure } from '../stores/measure.ts';
import { embeddedPlace } from './place.ts';

/** The benches of PostgreSQL on the embedded store; its own goals are those of granules-store, granules-http and people. */
const place = embeddedPlace();
try {
  await measure(place, 1_000_000);
} finally {
  await place.stop();
}
