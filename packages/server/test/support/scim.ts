import assert from "node:assert/strict";
import type { ConsoleClient } from "./console.ts";
import { type Answer, send } from "./http.ts";

/** A tenant's directory, which calls SCIM with a token of the operator's. */
export class ScimDirectory {
  readonly #url: string;
  readonly token: string;
  readonly tokenId: string;

  private constructor(url: string, { token, tokenId }: { token: string; tokenId: string }) {
    this.#url = url;
    this.token = token;
    this.tokenId = tokenId;
  }

  static async connect(url: string, operator: ConsoleClient, tenantId = "t_acme"): Promise<ScimDirectory> {
    const made = await operator.ok("POST", `operator/tenants/${tenantId}/scim-tokens`, { name: "Directory" });
    return new ScimDirectory(`${url}/scim/v2/${tenantId}`, made);
  }

  call(method: string, path: string, body?: unknown, headers: Record<string, string | null> = {}): Promise<Answer> {
    return send(`${this.#url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { "content-type": "application/scim+json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  }

  /** The body of an answer that must have this status. */
  async ok(method: string, path: string, body?: unknown, status = 200) {
    const answer = await this.call(method, path, body);
    assert.equal(answer.status, status, answer.text);
    if (status !== 204) assert.match(String(answer.headers["content-type"]), /^application\/scim\+json/);
    return answer.json;
  }

  /** Asserts that a call is refused as SCIM says. */
  async refused(method: string, path: string, body: unknown, status: number, scimType?: string): Promise<void> {
    const answer = await this.call(method, path, body);
    assertScimRefused(answer, status, scimType);
  }
}

export function assertScimRefused(answer: Answer, status: number, scimType?: string): void {
  assert.equal(answer.status, status, answer.text);
  assert.match(String(answer.headers["content-type"]), /^application\/scim\+json/);
  const { schemas, detail, ...rest } = answer.json;
  assert.deepEqual(schemas, ["urn:ietf:params:scim:api:messages:2.0:Error"]);
  assert.equal(typeof detail, "string");
  assert.deepEqual(rest, { status: String(status), ...(scimType !== undefined && { scimType }) });
}

/** A PATCH of these operations. */
export function patch(...operations: object[]): object {
  return { schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"], Operations: operations };
}
