import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { pino } from "pino";
import { Value } from "typebox/value";
import { ruleBrokenBy } from "../domain/accounts/password-rules.ts";
import { PasswordHasher } from "../domain/accounts/passwords.ts";
import { recordChange } from "../domain/audit/audit-store.ts";
import { findDeveloperByNumber, insertDeveloper } from "../domain/directory/developer-store.ts";
import { systemClock } from "../platform/clock/clock.ts";
import { ConfigError } from "../platform/config/config-error.ts";
import { loadConfig } from "../platform/config/load-config.ts";
import { newId } from "../platform/crypto/new-id.ts";
import { openDataDir } from "../platform/disk/private-files.ts";
import { openReadOnly } from "../platform/storage/open-read-only.ts";
import { openStorage } from "../platform/storage/open-storage.ts";
import { schemaState } from "../platform/storage/schema-state.ts";
import { lockDataDir } from "../platform/storage/sqlite/instance-lock.ts";
import { refuseMoved } from "../platform/storage/sqlite/moved-mark.ts";

const ACTOR = { type: "SYSTEM", id: "command line", address: "" } as const;

/** An operator to be made. */
export interface NewOperator {
  phone: string;
  channelId: number;
  name: string;
  password: string;
}

/**
 * Finds what stands against an operator before anybody chooses a password: their fields, the configuration, the database, a
 * service that is running, somebody with the phone number. Stores nothing.
 *
 * @throws ConfigError with a message for the operator.
 */
export async function checkOperator(operator: Omit<NewOperator, "password">, env: NodeJS.ProcessEnv): Promise<void> {
  const fault = Value.Errors(OPERATOR_ENDPOINTS.createDeveloper.body, operator).find(
    ({ instancePath }) => instancePath in WORDS,
  );
  if (fault !== undefined) throw new ConfigError(WORDS[fault.instancePath] ?? "");
  const config = loadConfig(env);
  const state = await schemaState(config);
  if (state === "other") {
    throw new ConfigError(
      "the database has the schema of another version of Portico: run that version's command, or `portico migrate` first",
    );
  }
  if (config.distributed === null) refuseMoved(config.dataDir);
  if (state === "absent") return;
  if (config.distributed === null) lockDataDir(config.dataDir).release();
  await using opened = new AsyncDisposableStack();
  const { db } = opened.adopt(await openReadOnly(config), (open) => open.close());
  if ((await findDeveloperByNumber(db, operator.channelId, operator.phone)) !== null) throw taken(operator);
}

/**
 * Makes an operator, in an empty store too, which is migrated first. An embedded service must not be running.
 *
 * @returns the developerId.
 * @throws ConfigError with a message for the operator, also when somebody has the phone number already.
 */
export async function createOperator(operator: NewOperator, env: NodeJS.ProcessEnv): Promise<string> {
  await checkOperator(operator, env);
  const [fault] = Value.Errors(OPERATOR_ENDPOINTS.createDeveloper.body, operator);
  if (fault !== undefined) throw new ConfigError(WORDS[fault.instancePath] ?? fault.instancePath);
  const config = loadConfig(env);
  const broken = ruleBrokenBy(config, operator.password, operator);
  if (broken !== null) throw new ConfigError(RULES[typeof broken === "string" ? broken : broken.errorCode]);
  const log = pino({ level: "warn" }, pino.destination(2));
  await using opened = new AsyncDisposableStack();
  await openDataDir(config.dataDir, log);
  if (config.distributed === null) opened.adopt(lockDataDir(config.dataDir), (lock) => lock.release());
  const storage = opened.adopt(await openStorage(config, { log }), (open) => open.close());
  const passwords = opened.adopt(new PasswordHasher(), (open) => open.close());
  const { password, phone, channelId, name } = operator;
  const passwordHash = await passwords.hash(password);
  const developer = { developerId: newId("dev"), phone, channelId, name, operator: true, disabled: false };
  await storage.write(async (tx) => {
    if (!(await insertDeveloper(tx, developer, passwordHash))) throw taken(operator);
    const target = `developer:${developer.developerId}`;
    const after = { ...developer, password: "set" };
    await recordChange(tx, ACTOR, { action: "developer.create", target, before: null, after }, systemClock.now());
  });
  return developer.developerId;
}

function taken({ phone, channelId }: Pick<NewOperator, "phone" | "channelId">): ConfigError {
  return new ConfigError(`somebody has the phone number ${phone} in channel ${channelId} already: nothing was changed`);
}

/** What is wrong with a password that breaks a rule. */
const RULES = {
  PASSWORD_TOO_SHORT: "the password is shorter than PORTICO_SIGN_IN_PASSWORD_MIN_LENGTH asks for",
  PASSWORD_COMMON: "the password is one of those that are tried first: choose another",
  PASSWORD_PERSONAL: "the password is little more than the name or the phone number: choose another",
};

/** What is expected of each field, for the person at the command line. */
const WORDS: Readonly<Record<string, string>> = {
  "/phone": "the phone number must have 3 to 32 digits and hyphens, maybe after a +",
  "/channelId": "the channel must be a whole number from 0 on",
  "/name": "the name must have 1 to 100 characters",
  "/password": "the password must have 8 to 1,024 characters",
};
