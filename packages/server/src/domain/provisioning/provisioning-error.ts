/** A provisioning file that cannot be applied; the message begins with the path in it that is wrong. */
export class ProvisioningError extends Error {
  override readonly name = "ProvisioningError";

  constructor(path: string, problem: string) {
    super(`provisioning file: ${path === "" ? "the file" : path} ${problem}`);
  }
}
