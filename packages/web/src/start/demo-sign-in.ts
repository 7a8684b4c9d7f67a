import type { StartInfo } from "@portico/protocol/schemas";

type Demo = NonNullable<StartInfo["demo"]>;

/** Signs a developer of the demo in, as the form would, and goes to the console. The API's client is loaded when it is needed. */
export async function signInDeveloper({ phone, password, channelId }: Demo["developers"][number]): Promise<void> {
  const { consoleApi, consoleSession } = await import("../shared/session/console.ts");
  const answer = await consoleApi.login({ body: { phone, password, channelId } });
  // Who has turned a second factor on enters its code at the console's own sign-in.
  if (!("secondFactor" in answer)) consoleSession.start(answer);
  location.assign("/console/");
}

/** Signs a member of the demo in, and goes to the messenger. */
export async function signInMember({ tenantId, username, password }: Demo["members"][number]): Promise<void> {
  const { memberApi, memberSession } = await import("../shared/session/member.ts");
  memberSession.start(await memberApi.login({ body: { tenantId, username, password } }));
  location.assign("/messenger/");
}
