import { API_PARTS, type ApiPart } from "./api-parts.ts";
import { CARD_MODELS } from "./card-models.ts";
import { describeEvents } from "./event-models.ts";
import { DETAILED_BODIES } from "./message-models.ts";
import { Models } from "./models.ts";
import type { ApiDocument } from "./openapi.ts";
import { Operations } from "./operations.ts";
import { Refusals } from "./refusals.ts";
import { CONSOLE_SHARED, SECURITY_SCHEMES, SIGNED_SHARED } from "./security.ts";
import { describeSignInPages } from "./sign-in-operations.ts";
import { describeStreams } from "./stream-operations.ts";

const CUSTOMER_SERVICE = "Customer service";
const LICENSE = { name: "Apache-2.0", identifier: "Apache-2.0" };

/** The description of the whole API, made from the contract's endpoints. */
export function describeApi(): ApiDocument {
  return documentOf(API_PARTS, {
    title: "Portico",
    version: "2.0.0",
    description:
      "Calls of applications, under /api/open/v1 and /api/open/v2, are signed: they carry the X-Open-App-Id, " +
      "X-Open-Credential-Id, X-Open-Timestamp, X-Open-Nonce and X-Open-Signature headers. Calls of people, under " +
      "/api/client, /api/desk, /api/widget and /api/open/console, carry a Bearer token, but for those that sign in, renew " +
      "or end a sign-in.",
    isWhole: true,
  });
}

/** The description of customer service alone, which has a version of its own (docs/contract/versioning.md). */
export function describeCustomerService(): ApiDocument {
  return documentOf(
    API_PARTS.filter(({ tag }) => tag === CUSTOMER_SERVICE),
    {
      title: "Portico customer service",
      version: "1.0.0",
      description:
        "Every call carries the X-Open-App-Id, X-Open-Credential-Id, X-Open-Timestamp, X-Open-Nonce and " +
        'X-Open-Signature headers. Judge by `code == "000000"`: business failures are 4xx.',
      isWhole: false,
    },
  );
}

interface Scope {
  title: string;
  version: string;
  description: string;
  /** With events, streams, cards, and the calls of people. */
  isWhole: boolean;
}

function documentOf(parts: readonly ApiPart[], { title, version, description, isWhole }: Scope): ApiDocument {
  const models = new Models(DETAILED_BODIES);
  const refusals = new Refusals(models);
  if (isWhole) for (const [name, schema] of Object.entries(CARD_MODELS)) models.add(name, schema);
  const paths = {
    ...new Operations(models, refusals).paths(parts),
    ...(isWhole && { ...describeStreams(), ...describeSignInPages() }),
  };
  const webhooks = isWhole ? describeEvents(models) : undefined;
  const tags = parts.map(({ tag, description }) => ({ name: tag, description }));
  const events = { name: "Events", description: "What the service sends to an application's callback address." };
  return {
    openapi: "3.1.0",
    info: { title, version, description, license: LICENSE },
    // The service that the description was read from.
    servers: [{ url: "/" }],
    tags: isWhole ? [...tags, events] : tags,
    paths,
    ...(webhooks && { webhooks }),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: { ...SIGNED_SHARED, ...(isWhole && CONSOLE_SHARED) },
      schemas: models.schemas,
      examples: refusals.examples,
    },
  };
}
