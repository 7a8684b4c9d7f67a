import { keepBusy } from "../keep-busy.ts";
import type { Probe, Scenario } from "../scenario.ts";

const CONNECTIONS = 80;
const SIGN_INS_PER_SECOND = 2;

/** Signs in with a made-up or a real account; throws when it is refused. */
async function signIn(port: number, path: string, account: object): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(account),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
}

const asMember = (port: number, username: string) =>
  signIn(port, "/api/client/v1/auth/login", { tenantId: "t_bench", username, password: username });
const asDeveloper = (port: number, phone: string) =>
  signIn(port, "/api/open/console/v1/auth/login", { phone, password: "the owner's password", channelId: 1 });

const member: Probe = {
  name: "member's sign-in",
  perSecond: SIGN_INS_PER_SECOND,
  open:
    async ({ port }) =>
    () =>
      asMember(port, "alice"),
};
const developer: Probe = {
  name: "developer's sign-in",
  perSecond: SIGN_INS_PER_SECOND,
  open:
    async ({ port }) =>
    () =>
      asDeveloper(port, "13800000000"),
};

/** Strangers try accounts that do not exist, from the same address as the well-behaved callers. */
export const signInFlood: Scenario = {
  name: "sign-in-flood",
  what: `${CONNECTIONS} connections that try made-up accounts, of members and of developers`,
  engines: ["embedded", "distributed"],
  probes: [member, developer],
  async attack({ port }, signal) {
    let tried = 0;
    const tries = await keepBusy(CONNECTIONS, signal, async (caller) => {
      const name = tried++;
      const attempt =
        caller % 2 === 0 ? asMember(port, `nobody ${name}`) : asDeveloper(port, `139${String(name).padStart(8, "0")}`);
      await attempt.catch(() => {});
    });
    return { tries };
  },
};
