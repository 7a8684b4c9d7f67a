import { compareWorks, type WorksResult } from "../beside/compare-works.ts";
import { type StoredService, startBoth } from "../beside/start-both.ts";
import type { Works } from "../beside/work.ts";
import { worldOf } from "../contenders/service.ts";
import { fillOffice, OFFICE_APP, OFFICE_CREDENTIAL } from "../desk/office.ts";
import { SignedCaller } from "../load/signed-caller.ts";
import { newSender, sendSigner } from "../load/signed-requests.ts";
import type { Run } from "../run.ts";
import { customerWorks, READER, visitorMessage } from "./customer-works.ts";

/** In a bench a visitor writes as much as many normally would. */
const ENV = { PORTICO_LIMITS_VISITOR_MESSAGES_PER_MINUTE: "1000000" };
/** In the conversation that is read, more than a page. */
const MESSAGES = 60;

/**
 * Measures the messages of customer service beside signed sends of a bot to the same process, and its reads beside a bare
 * server with the same answers.
 */
export async function compareCustomer(run: Run): Promise<WorksResult> {
  const sender = newSender();
  const world = worldOf(sender);
  const both = await startBoth({ world: { ...world, apps: [...world.apps, OFFICE_APP] }, env: ENV }, run);
  return await compareWorks(both, sendSigner(sender, "text"), prepare, run);
}

async function prepare({ service, store }: StoredService): Promise<Works> {
  await fillOffice(store);
  using caller = new SignedCaller(service.port, OFFICE_CREDENTIAL);
  const { method, path, body } = visitorMessage(READER);
  for (let number = 0; number < MESSAGES; number++) await caller.call(method, path, body);
  return customerWorks();
}
