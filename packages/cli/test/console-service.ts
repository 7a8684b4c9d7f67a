import type { ServerResponse } from "node:http";
import { type ReceivedRequest, type Respond, type Service, startService } from "../../sdk/test/service.ts";

/** Options that identify a developer completely. */
export const DEVELOPER = ["--phone", "13800000001", "--password", "pa55word"];

/** A service whose console accepts every login and answers other calls with `respond`, numbered from 0. */
export interface ConsoleService extends Service {
  options: string[];
  /** All calls except logins and logouts. */
  calls(): ReceivedRequest[];
  /** The Cookie headers of the logouts. */
  logouts(): (string | undefined)[];
}

/** The answer to a login or a refresh. */
export function loginAnswer(accessToken: string, developerId = "dev_1") {
  return { accessToken, expiresAt: 1, developerId };
}

/** The answer to `GET me`. */
export function developerNamed(name: string, operator = false) {
  return { developerId: "dev_1", phone: "138", channelId: 1, name, operator, tenants: [] };
}

/**
 * Starts the service. The logins are answered with the tokens `tok_1`, `tok_2`, … and the cookies `ref_1`, `ref_2`, ….
 */
export async function startConsole(respond: Respond): Promise<ConsoleService> {
  const isOf = (path: string) => (request: ReceivedRequest) => request.url.endsWith(path);
  const [isLogin, isLogout] = [isOf("/auth/login"), isOf("/auth/logout")];
  let logins = 0;
  let logouts = 0;
  const service = await startService((response, index) => {
    const request = service.requests[index];
    if (request !== undefined && isLogin(request)) {
      const cookie = `open_refresh_token=ref_${++logins}; Max-Age=60; HttpOnly; Secure; Path=/api/open/console/v1/auth`;
      return answerJson(response, 200, loginAnswer(`tok_${logins}`), { "Set-Cookie": cookie });
    }
    if (request !== undefined && isLogout(request)) {
      logouts++;
      return void response.writeHead(204).end();
    }
    respond(response, index - logins - logouts);
  });
  return Object.assign(service, {
    options: ["--base-url", service.baseUrl, ...DEVELOPER],
    calls: () => service.requests.filter((request) => !isLogin(request) && !isLogout(request)),
    logouts: () => service.requests.filter(isLogout).map(({ headers }) => headers.cookie),
  });
}

/** Answers with JSON without an envelope. */
export function answerJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** Refuses in the console's format. */
export function refuse(response: ServerResponse, status: number, error: string, message: string, headers = {}): void {
  const errorCode = "SOME_ERROR";
  const body = { timestamp: "2026-01-01T00:00:00.000Z", status, error, message, path: "/", errorCode };
  answerJson(response, status, body, headers);
}
