import { type SubmitEvent, useRef, useState } from 'react';

type Rules<F extends string> = Partial<
  Record<F, (value: string, all: Record<F, string>) => string | undefined>
>;

/** The values of a small form: validated on submit, and from then on at each change. */
export function useFields<F extends string>(initial: Record<F, string>, rules: Rules<NoInfer<F>>) {
  const [values, setValues] = useState(initial);
  const [isChecked, setChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const errorOf = (name: F): string | undefined => rules[name]?.(values[name], values);
  const names = Object.keys(initial) as F[];

  return {
    values,
    field: (name: F) => ({
      name,
      value: values[name],
      onChange: (value: string) => setValues((before) => ({ ...before, [name]: value })),
      error: isChecked ? errorOf(name) : undefined,
    }),
    form: (submit: (values: Record<F, string>) => void) => ({
      ref: form,
      noValidate: true,
      onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        setChecked(true);
        const wrong = names.find((name) => errorOf(name) !== undefined);
        if (wrong === undefined) submit(values);
        else form.current?.querySelector<HTMLInputElement>(`[name="${wrong}"]`)?.focus();
      },
    }),
  };
}
