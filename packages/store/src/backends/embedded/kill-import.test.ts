import { expect, it } from 'vitest';
import { sized } from '../../../../../tools/test-size.ts';
import { openEmbeddedStore } from './open.ts';
import { countIn, inside, untilEmpty, untilIndexed } from './testing/looking-inside.ts';
import { startChild } from './testing/start-child.ts';
import { temporaryFile } from './testing/temporary-file.ts';

const ROUNDS = sized(8, 2);
/** Some more than are replaced with the publication. */
const ROWS = 2_300;

/** The author of the granules that every import replaces. */
const signatures = (file: string) =>
  inside(file, (database) =>
    database
      .prepare(
        `SELECT DISTINCT g.user FROM granules g JOIN granule_counts c ON c.kapsule = g.kapsule
         WHERE g.key LIKE 'replaced-%' AND g.change <= c.lastChange`,
      )
      .all()
      .map((row) => row['user']),
  );

it(`shows whole imports only, and sweeps up the rest, when it is killed ${ROUNDS} times while importing`, async () => {
  const file = temporaryFile();
  const promised: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    let isDoomed = false;
    // Every second time while it replaces what it has published, from the second import on.
    const [moment, ms] = round % 2 === 0 ? ['importing', 400] : ['publishing', 60];
    const { lines, errors } = await startChild([file, 'import-forever', String(ROWS)], (line, kill) => {
      if (line !== moment || isDoomed) return;
      isDoomed = true;
      setTimeout(kill, Math.random() * ms);
    });
    expect(errors).toBe('');
    promised.push(...lines.filter((line) => line.startsWith('imported ')).map((line) => line.slice(9)));

    const store = await openEmbeddedStore({ file });
    const stored = (await store.audit.findBy('action', 'import')).map(({ target }) => target);
    const { total } = await store.granules.counts('kapsule');
    const page = await store.granules.page('kapsule', { sort: 'key', descending: true, offset: 0, limit: 1 });
    expect(promised.filter((name) => !stored.includes(name))).toEqual([]);
    const all = stored.length === 0 ? 0 : (stored.length + 1) * ROWS;
    expect([total, page.total]).toEqual([all, all]);
    expect(signatures(file)).toEqual(stored.slice(-1));
    await untilEmpty(file, 'granule_imports', 'granule_staged');
    await untilIndexed(file);
    await store.close();
    expect(countIn(file, 'granules')).toBe(total);
    expect(inside(file, (database) => database.prepare('PRAGMA integrity_check').get())).toEqual({
      integrity_check: 'ok',
    });
  }
});
