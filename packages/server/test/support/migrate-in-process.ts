import { migrateStore } from "../../src/operations/migrate-store.ts";

/** Migrates a store in a process of its own, which can be killed. */
await migrateStore(process.env);
