import { compareWorks, type WorksResult } from "../beside/compare-works.ts";
import { startBoth } from "../beside/start-both.ts";
import { MEMBERS, worldOf } from "../contenders/service.ts";
import { signInMember } from "../load/sign-in.ts";
import { newSender, sendSigner } from "../load/signed-requests.ts";
import type { Run } from "../run.ts";
import { memberWorks } from "./member-works.ts";

/** Measures members' posts beside signed sends to the same group, and their reads beside a bare server with the same answers. */
export async function compareMembers(run: Run): Promise<WorksResult> {
  const sender = newSender();
  const both = await startBoth({ world: worldOf(sender), env: {} }, run);
  const [account] = MEMBERS;
  if (account === undefined) throw new Error("the bench has members");
  const signer = sendSigner(sender, "text");
  return await compareWorks(
    both,
    signer,
    async ({ service }) => memberWorks(sender, await signInMember(service.port, account)),
    run,
  );
}
