/** For engines that undo up to a savepoint; `run` sends a statement that can't be prepared everywhere. */
export const attemptWith =
  (run: (sql: string) => Promise<unknown>) =>
  async <T>(work: () => Promise<T>): Promise<T> => {
    await run('SAVEPOINT k_attempt');
    try {
      const result = await work();
      await run('RELEASE SAVEPOINT k_attempt');
      return result;
    } catch (error) {
      // Where the whole transaction is gone already, that error tells.
      await run('ROLLBACK TO SAVEPOINT k_attempt').catch(() => undefined);
      throw error;
    }
  };
