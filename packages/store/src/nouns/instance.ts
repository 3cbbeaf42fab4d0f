import { noun, type Stored } from './noun.ts';

/** One document, inserted with the first admin: the one-way sign that this installation is initialized. */
export interface InstanceRecord extends Stored {
  singleton: 'instance';
  initializedAt: string;
}

export const instance = noun<InstanceRecord>({ name: 'instance', unique: ['singleton'], indexes: [] });
