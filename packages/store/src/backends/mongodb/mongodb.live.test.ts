import { afterAll, beforeAll, describe } from 'vitest';
import { hasMongodb, type MongodbServer, startMongodb } from '../../../../../tools/test-servers/mongodb.ts';
import { newId } from '../../ids.ts';
import { storeContract } from '../../testing/store.contract.ts';
import { connect } from './connect.ts';
import { openMongoStore } from './open.ts';

describe.runIf(hasMongodb())('on a real server', () => {
  let server: MongodbServer;
  beforeAll(async () => {
    server = await startMongodb();
  }, 400_000);
  afterAll(() => server.stop());

  storeContract('MongoDB', async () => {
    const options = { ...server.config, database: `kaptain-${newId()}` };
    return {
      open: () => openMongoStore(options),
      async discard() {
        const database = await connect(options);
        await database.db.dropDatabase();
        await database.close();
      },
    };
  });
});
