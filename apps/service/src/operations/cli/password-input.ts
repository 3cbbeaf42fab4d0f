import type { Readable } from 'node:stream';
import { messages, NewPassword } from '@kaptain/contract';
import { hiddenLines, type PasswordInput } from './hidden-lines.ts';

export type { PasswordInput } from './hidden-lines.ts';
export type GivenPassword = { password: string } | { problem: string };

async function firstLine(input: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks).toString('utf8').split(/\r?\n/)[0] ?? '';
}

/** Asked twice without echo at a terminal, read from the first line of any other input. */
export async function newPasswordFrom(
  input: PasswordInput,
  say: (line: string) => void,
): Promise<GivenPassword> {
  let password: string;
  if (input.isTTY) {
    const ask = hiddenLines(input);
    say('New password (it is not shown):');
    password = await ask();
    say('The same again:');
    if ((await ask()) !== password) return { problem: messages.passwordsDiffer };
  } else {
    password = await firstLine(input);
  }
  const checked = NewPassword.safeParse(password);
  return checked.success ? { password } : { problem: checked.error.issues[0]?.message ?? '' };
}

/** An existing password: asked once, and not checked for strength. */
export async function passwordFrom(input: PasswordInput, say: (line: string) => void): Promise<string> {
  if (!input.isTTY) return await firstLine(input);
  say('Password of the target (it is not shown):');
  return await hiddenLines(input)();
}
