import { ConfigurationFile } from '@kaptain/contract/settings/generations';

/** Parses a chosen file before it is sent; fails at once if it is no exported configuration. */
export async function readConfiguration(file: File): Promise<ConfigurationFile> {
  let value: unknown;
  try {
    value = JSON.parse(await file.text());
  } catch {
    throw new Error('This is not an exported configuration.');
  }
  const parsed = ConfigurationFile.safeParse(value);
  if (!parsed.success)
    throw new Error(parsed.error.issues[0]?.message ?? 'This is not an exported configuration.');
  return parsed.data;
}
