/** A problem the person who starts the service can solve: its message is shown alone, without a stack. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
