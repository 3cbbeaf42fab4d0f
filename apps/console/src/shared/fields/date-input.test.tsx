import { fireEvent, render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { DateInput } from './DateInput.tsx';

test('a time of the calendar that the clock shows twice stays as a text, to be refused with its readings', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  const onChange = vi.fn<(text: string) => void>();
  const { container } = render(
    <DateInput field={{ name: 'At', type: 'timestamp' }} input={{ value: '', onChange }} />,
  );
  const picker = container.querySelector('input[type="datetime-local"]') as HTMLInputElement;
  for (const value of ['2026-10-25T02:30', '2026-10-25T03:30'])
    fireEvent.change(picker, { target: { value } });
  expect(onChange.mock.calls).toEqual([['2026-10-25 02:30'], ['2026-10-25 03:30:00']]);
  vi.unstubAllEnvs();
});
