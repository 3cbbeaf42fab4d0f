import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { DataSourceType } from '@kaptain/contract';
import { DataSourceError } from './errors.ts';

const DRIVERS = join(import.meta.dirname, '..', '..', '..', 'drivers');

/** Loads a driver that `npm run add-driver` installs into its own folder, because it is large and rarely needed. */
export function optionalDriver(type: DataSourceType, packageName: string, drivers = DRIVERS): unknown {
  // In development the driver is a devDependency of this package.
  for (const from of [join(drivers, type, 'package.json'), import.meta.url]) {
    try {
      return createRequire(from)(packageName);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  const how = import.meta.filename.endsWith('.ts')
    ? `Run "npm run add-driver ${type}" in the folder of the service.`
    : `Unpack the release's driver-${type} archive in the folder of the service.`;
  throw new DataSourceError(type, 'driver', `Its driver is not installed. ${how}`);
}
