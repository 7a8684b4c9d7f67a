/** An invalid configuration, or a start that cannot succeed. The message is for the operator. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
