import { unitEnded, withinLimit } from '../shared/unit-limit.ts';
import type { Command } from './messages.ts';
import type { Writer } from './writer.ts';

/** Sends a step of the unit to the writer. */
export type Step = (command: Command) => Promise<unknown>;

/** A unit of work: a transaction on the writer that others wait for, so it must end within its time. */
export function runUnit<T>(writer: Writer, limitMs: number, work: (step: Step) => Promise<T>): Promise<T> {
  return writer.exclusive(async () => {
    await writer.send({ kind: 'begin' });
    let isOpen = true;
    const step: Step = async (command) => {
      if (!isOpen) throw unitEnded();
      return await writer.send(command);
    };
    try {
      const result = await withinLimit(limitMs, () => work(step));
      isOpen = false;
      await writer.send({ kind: 'commit' });
      return result;
    } catch (error) {
      isOpen = false;
      // When the writer has died, its transaction is rolled back too; the first error is the one to report.
      await writer.send({ kind: 'rollback' }).catch(() => undefined);
      throw error;
    }
  });
}
