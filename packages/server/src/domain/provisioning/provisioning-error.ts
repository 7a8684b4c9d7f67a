/** A provisioning file that cannot be applied; the message begins with the faulty path in it. */
export class ProvisioningError extends Error {
  override readonly name = "ProvisioningError";

  constructor(path: string, problem: string) {
    super(`provisioning file: ${path === "" ? "the file" : path} ${problem}`);
  }
}
