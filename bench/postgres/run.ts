import { measure } from '../stores/measure.ts';
import { postgresPlace } from './place.ts';

/** What is claimed about the service on PostgreSQL. */
const place = await postgresPlace();
try {
  await measure(place, 1_000_000, {
    listToRows: 2.5,
    listToJson: 0.8,
    small: 0.7,
    bulk: 0.4,
    rareSearch: 20,
  });
} finally {
  await place.stop();
}
