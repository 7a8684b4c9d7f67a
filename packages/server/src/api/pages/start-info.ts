import type { StartInfo } from "@portico/protocol/schemas";
import { findDemoOf } from "../../domain/provisioning/demo.ts";
import type { Config } from "../../platform/config/config.ts";
import { VERSION } from "../../platform/version.ts";

/** Tells what runs here; the demo world is looked for once, and its addresses are known once the service listens. */
export function startInfoOf(config: Config): () => StartInfo {
  const demo = demoAccountsOf(config);
  return () => {
    const { environment, baseUrl, consoleUrl, web } = config;
    const addresses = { baseUrl: baseUrl ?? "", consoleUrl: consoleUrl ?? baseUrl ?? "" };
    return { environment, version: VERSION, ...addresses, imageProxy: web.imageProxy, demo };
  };
}

function demoAccountsOf(config: Config): StartInfo["demo"] {
  const access = findDemoOf(config);
  if (access === null) return null;
  const { members = [], developers = [] } = access.provision;
  return {
    members: members.map(({ tenant = "", username = "", name = username, password = "" }) => ({
      tenantId: tenant,
      username,
      name,
      password,
    })),
    developers: developers.map(({ phone, channelId = 1, name = phone, operator = false, password = "" }) => ({
      phone,
      channelId,
      name,
      operator,
      password,
    })),
  };
}
