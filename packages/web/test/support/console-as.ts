import { consoleExchange, createApiClient } from "@portico/protocol/client";
import { CONSOLE_ENDPOINTS, OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import type { DemoService } from "./demo-service.ts";

/** The console's API and the operators' one as a developer of the demo world, for what a test needs done beside the page. */
export async function consoleAs(baseUrl: string, { phone, password, channelId }: DemoService["developer"]) {
  const login = await createApiClient(CONSOLE_ENDPOINTS, consoleExchange({ baseUrl })).login({
    body: { phone, password, channelId },
  });
  if ("secondFactor" in login) throw new Error(`${phone} has a second factor`);
  const { accessToken } = login;
  const exchange = consoleExchange({ baseUrl, accessToken });
  return {
    console: createApiClient(CONSOLE_ENDPOINTS, exchange),
    operator: createApiClient(OPERATOR_ENDPOINTS, exchange),
  };
}
