import { main } from "../../src/index.ts";
import { CHEAP_HASHES } from "./hash-cost.ts";

/* Starts the service with password hashes that cost next to nothing: pages sign in hundreds of times. */
await main(process.env, { hashCost: CHEAP_HASHES });
