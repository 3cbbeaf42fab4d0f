/** An error that the admin who starts the service can correct: its message is shown without a stack. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** The saved settings can't be read, so their values are unknown. */
export class SettingsError extends ConfigError {}

/** The database of the settings does not answer, or refuses the service. */
export class DatabaseError extends ConfigError {}
