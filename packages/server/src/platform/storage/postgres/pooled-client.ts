import { CuttableClient } from "./cuttable-client.ts";

/** A connection to a pooler, behind which each transaction may meet another connection of the server. */
export class PooledClient extends CuttableClient {
  override readonly keepsStatements = false;
}
