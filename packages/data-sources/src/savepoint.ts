/** Wraps work in a savepoint; `run` sends its statement unprepared, because not every engine can prepare SAVEPOINT. */
export const savepointWith =
  (run: (sql: string) => Promise<unknown>) =>
  async <T>(work: () => Promise<T>): Promise<T> => {
    await run('SAVEPOINT k_attempt');
    try {
      const result = await work();
      await run('RELEASE SAVEPOINT k_attempt');
      return result;
    } catch (error) {
      // When the whole transaction is gone already, the error of the work is the one to report.
      await run('ROLLBACK TO SAVEPOINT k_attempt').catch(() => undefined);
      throw error;
    }
  };
