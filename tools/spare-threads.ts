import { spareThreads } from '../packages/store/src/backends/embedded/spare-threads.ts';

// A test seldom has more than two stores open at once.
spareThreads.limit = 4;
