/** A configuration that is wrong or a start that cannot succeed, in words for the operator. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
