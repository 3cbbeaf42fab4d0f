import { secretFile } from './secret-file.ts';

/** The secret under which API keys are hashed. */
export const pepperIn = (folder: string): (() => Buffer) =>
  secretFile(folder, 'api-keys.pepper', 'API keys stop working');
