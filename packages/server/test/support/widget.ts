import assert from "node:assert/strict";
import type { AppEntry } from "../../src/domain/provisioning/schema.ts";
import { call } from "./acme.ts";
import { assertSuccess } from "./assert-answer.ts";
import { owner } from "./console.ts";
import { customerApp } from "./customer-acme.ts";
import { type Answer, type Sending, send } from "./http.ts";
import { FORM_TYPE, type FormFile, filePart, form } from "./uploads.ts";
import type { World } from "./world.ts";

/** The base of the widget's API. */
export const WIDGET = "/api/widget/v1";
/** The allowed site of {@link serviceApp}'s widgets. */
export const SITE = "https://shop.example";

/** A CUSTOMER_SERVICE application of the owner with all scopes; the members of `other` replace these. */
export function serviceApp(appId: string, other: Partial<AppEntry> = {}): AppEntry {
  const profile = { displayName: appId, allowedOrigins: [SITE] };
  return customerApp(appId, { owner: owner.phone, profile, agents: [], visitors: [], ...other });
}

/** Calls an endpoint of customer service (V1); returns the raw answer. */
export function serviceCall(world: World, appId: string, path: string, body?: object): Promise<Answer> {
  const target = `/api/open/v1/${path}`;
  return call(world, appId, body === undefined ? { target } : { method: "POST", target, body: JSON.stringify(body) });
}

/** A client of the widget API for one visitor. */
export class WidgetClient {
  readonly #url: string;
  readonly visitorId: string;
  readonly token: string;

  private constructor(url: string, { visitorId, visitorToken }: { visitorId: string; visitorToken: string }) {
    this.#url = url;
    this.visitorId = visitorId;
    this.token = visitorToken;
  }

  /** Opens a widget with a visitorToken from the application. */
  static async open(world: World, appId: string, thirdUserId: string, profile: object = {}): Promise<WidgetClient> {
    const answer = await serviceCall(world, appId, "visitor/auth", { thirdUserId, ...profile });
    assertSuccess(answer);
    return new WidgetClient(world.url, answer.json.value);
  }

  /** Makes a raw call; `headers` are sent in addition to the token. */
  call(path: string, { headers, ...sending }: Sending = {}): Promise<Answer> {
    return send(`${this.#url}${WIDGET}/${path}`, {
      ...sending,
      headers: { authorization: `Bearer ${this.token}`, ...headers },
    });
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return this.call(path, { method: "POST", body: text, headers: { "content-type": "application/json", ...headers } });
  }

  /** The value of a call that must succeed: a GET, or a POST if there is a body. */
  async ok(path: string, body?: unknown) {
    const answer = await (body === undefined ? this.call(path) : this.post(path, body));
    assertSuccess(answer);
    return answer.json.value;
  }

  /** Posts a text. */
  async say(content: string, other: object = {}) {
    return await this.ok("messages", { msgType: "text", content, ...other });
  }

  /** Uploads a file; returns the raw answer. */
  upload(file: FormFile = {}, headers: Record<string, string> = {}): Promise<Answer> {
    const body = form(filePart(file));
    return this.call("files", { method: "POST", body, headers: { "content-type": FORM_TYPE, ...headers } });
  }

  /** Uploads a file and returns its fileKey. */
  async uploadKey(file: FormFile = {}): Promise<string> {
    const answer = await this.upload(file);
    assert.equal(answer.status, 200, answer.text);
    return answer.json.value.fileKey;
  }
}
