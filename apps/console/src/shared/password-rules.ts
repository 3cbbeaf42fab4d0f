import { limits } from '@kaptain/contract/limits';
import { messages } from '@kaptain/contract/messages';

/** Spec 5: why a new password is refused. Characters are counted as a person counts them. */
export const passwordProblem = (password: string): string | undefined =>
  Array.from(password).length < limits.passwordMinCharacters ? messages.passwordTooShort : undefined;

/** Spec 5: why the second input of a new password is refused. */
export function confirmationProblem(confirmation: string, password: string): string | undefined {
  if (confirmation === '') return messages.passwordAgain;
  return confirmation === password ? undefined : messages.passwordsDiffer;
}
