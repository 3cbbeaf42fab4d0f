import { noun, type Stored } from './noun.ts';

/** One document, inserted with the first admin: the one-way sign that this installation is initialized. */
export interface InstanceRecord extends Stored {
  singleton: 'instance';
  initializedAt: string;
  /** By which an instance finds out that it has another secret for API keys than the others. */
  pepperMark?: string;
}

export const instance = noun<InstanceRecord>({ name: 'instance', unique: ['singleton'], indexes: [] });
