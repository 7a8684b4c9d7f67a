/** The parts of undici that the service loads; the package declares only the whole. */

declare module "undici/lib/dispatcher/client.js" {
  import { Client } from "undici";

  export default Client;
}

declare module "undici/lib/core/errors.js" {
  import { errors } from "undici";

  export default errors;
}
