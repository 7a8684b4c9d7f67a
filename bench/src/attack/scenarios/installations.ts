import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { fillStore } from "../../contenders/fill-store.ts";
import { hostileApp, signedHeaders } from "../callers.ts";
import { keepBusy } from "../keep-busy.ts";
import type { Scenario } from "../scenario.ts";

const CALLERS = 10;
const INSTALLATIONS = 100_000;
const APP = { appId: "app_many", credentialId: "cred_many", appSecret: "the secret of many" };
const PATH = OPEN_ENDPOINTS.listInstallations.path;

/** An application with very many installations lists all of them repeatedly. */
export const installations: Scenario = {
  name: "installations",
  what: `${CALLERS} callers of an application that list all of its ${INSTALLATIONS} installations again and again`,
  engines: ["embedded", "distributed"],
  world: { apps: [hostileApp(APP, { scopes: ["bot.installation.read"] })] },
  prepare: (site) =>
    fillStore(site, "installations", INSTALLATIONS, (index) => ({
      app_id: APP.appId,
      target_type: "USER",
      target_id: `u_${index.toString().padStart(20, "0")}`,
      status: index % 4 === 0 ? "UNINSTALLED" : "ACTIVE",
      installed_at: 1_700_000_000_000 + index,
      first_installed_at: 1_700_000_000_000 + index,
    })),
  async attack({ port }, signal) {
    let bytes = 0;
    const lists = await keepBusy(CALLERS, signal, async () => {
      const answer = await fetch(`http://127.0.0.1:${port}${PATH}`, {
        headers: signedHeaders(APP, "GET", PATH),
        signal,
      });
      for await (const chunk of answer.body ?? []) bytes += chunk.length;
      if (!answer.ok) throw new Error(`${answer.status}`);
    });
    return { lists, bytes };
  },
};
