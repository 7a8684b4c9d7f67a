import type { Command } from "./command.ts";
import { backup } from "./commands/backup.ts";
import { checkStore } from "./commands/check-store.ts";
import { doctor } from "./commands/doctor.ts";
import { masterKeyRotate } from "./commands/master-key-rotate.ts";
import { masterKeyStatus } from "./commands/master-key-status.ts";
import { migrate } from "./commands/migrate.ts";
import { move } from "./commands/move.ts";
import { operatorCreate } from "./commands/operator-create.ts";
import { provision } from "./commands/provision.ts";
import { restore } from "./commands/restore.ts";
import { serve } from "./commands/serve.ts";

/** The commands that run the service or open its store: what `portico-server` of the packed service has. */
export const SERVICE_COMMANDS: readonly Command[] = [
  serve,
  provision,
  backup,
  restore,
  checkStore,
  migrate,
  move,
  masterKeyRotate,
  masterKeyStatus,
  operatorCreate,
  doctor,
];
