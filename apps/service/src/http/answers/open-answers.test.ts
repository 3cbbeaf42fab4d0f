import { describe, expect, it } from 'vitest';
import { AppError } from '../../base/errors/app-error.ts';
import { OpenAnswers } from './open-answers.ts';

/** An open answer whose checks end when the test ends them. */
function world() {
  const all = new OpenAnswers();
  const checks: PromiseWithResolvers<void>[] = [];
  const lost: AppError[] = [];
  const answer = all.open({
    check: () => {
      const check = Promise.withResolvers<void>();
      checks.push(check);
      return check.promise;
    },
  });
  answer.onLost = (error) => lost.push(error);
  return { all, answer, checks, lost };
}

describe('the rights to an open answer', () => {
  it('are checked once more after many changes during a check, not once for each', async () => {
    const { all, answer, checks } = world();
    const first = answer.confirm();
    for (let count = 0; count < 50; count++) all.rightsChanged();
    const second = answer.confirm();
    expect(checks).toHaveLength(1);
    checks[0]?.resolve();
    expect([await first, answer.isCurrent]).toEqual([true, false]);
    await expect.poll(() => checks).toHaveLength(2);
    checks[1]?.resolve();
    expect([await second, answer.isCurrent, checks.length]).toEqual([true, true, 2]);
  });

  it('are lost when the check after the current one fails', async () => {
    const { all, answer, checks, lost } = world();
    const first = answer.confirm();
    all.rightsChanged();
    const second = answer.confirm();
    checks[0]?.resolve();
    await first;
    await expect.poll(() => checks).toHaveLength(2);
    checks[1]?.reject(new AppError('NOT_LOGGED_IN'));
    expect([await second, lost.map(({ code }) => code)]).toEqual([false, ['NOT_LOGGED_IN']]);
  });

  it('are not checked when the answer has ended', () => {
    const { all, answer, checks } = world();
    answer.close();
    all.rightsChanged();
    expect(checks).toEqual([]);
  });
});
