import type { Static } from "typebox";
import * as Type from "typebox";
import type { ErrorCode } from "../errors/index.ts";
import { DELIVERY_STATES, EVENT_TYPES, SUBSCRIPTION_STATES } from "../events.ts";
import { BOUNDS } from "../limits.ts";
import { TRANSPORTS } from "../socket.ts";
import { apiResultSchema } from "./envelope.ts";
import { nullable, time } from "./parts.ts";
import { plainText } from "./plain-text.ts";

/** The largest value of an integer column. */
const MAX_INTEGER = 2 ** 31 - 1;

/** The most deliveries in one call for redelivery. */
const MAX_SELECTED = 1_000;

/** Body of every refusal of the console API (docs/contract/console.md#refusals). */
export const ConsoleErrorSchema = Type.Object({
  timestamp: Type.String({ description: "ISO 8601" }),
  status: Type.Integer(),
  error: Type.String({ description: "The reason phrase of the status" }),
  message: Type.String(),
  path: Type.String(),
  // Not an enumeration: every answer of every route would repeat some two hundred values.
  errorCode: Type.Unsafe<ErrorCode>(
    Type.String({ description: "Names the error for good; the contract's page of errors has them all" }),
  ),
});
export type ConsoleErrorBody = Static<typeof ConsoleErrorSchema>;

/** Body of `POST auth/login`. A phone number is unique within its channel. */
export const ConsoleLoginBodySchema = Type.Object({
  phone: plainText({ minLength: 1, maxLength: BOUNDS.idLength }),
  password: plainText({ minLength: 1, maxLength: 1_024 }),
  channelId: Type.Integer({ minimum: 0, maximum: MAX_INTEGER }),
});

/** Answer of a login and of a refresh; the refresh token comes as a cookie. */
export const ConsoleLoginSchema = Type.Object({
  accessToken: Type.String(),
  expiresAt: time("When the access token expires"),
  developerId: Type.String(),
  wrongCodes: Type.Optional(
    Type.Object(
      { count: Type.Integer(), since: time("When the first was entered") },
      {
        description:
          "At a sign-in by a code: the wrong ones that were entered since the last such sign-in, but for those of this one; left out when there were none",
      },
    ),
  ),
});
export type ConsoleLogin = Static<typeof ConsoleLoginSchema>;

/** States of an application's webhook circuit (docs/contract/events.md#the-circuit). */
const CIRCUIT_STATES = ["NORMAL", "OPEN", "PROBING"] as const;

/** Answer of `GET apps/{appId}/subscriptions`. */
export const SubscriptionListSchema = Type.Array(
  Type.Object({
    eventType: Type.Enum([...EVENT_TYPES]),
    callbackUrl: nullable(Type.String({ description: "Null for a subscription by socket" })),
    status: Type.Enum([...SUBSCRIPTION_STATES]),
    failureCount: Type.Integer({ description: "Attempts failed since the last success" }),
    circuitState: Type.Enum([...CIRCUIT_STATES]),
    updatedAt: time(),
  }),
);

/** Body of `PUT apps/{appId}/subscriptions/{eventType}`. The URL is checked later. */
export const PutSubscriptionBodySchema = Type.Object({
  transport: Type.Optional(
    Type.Enum([...TRANSPORTS], { default: "WEBHOOK", description: "How the events are delivered" }),
  ),
  callbackUrl: Type.Optional(
    plainText({ minLength: 1, description: "Public HTTPS address; required for WEBHOOK, refused for SOCKET" }),
  ),
  status: Type.Optional(Type.Enum([...SUBSCRIPTION_STATES], { default: "ACTIVE" })),
});

/** Answer of a PUT, the only one with the secret. */
export const SubscriptionSecretSchema = Type.Object({
  credentialId: Type.Enum([...EVENT_TYPES], { description: "The event type" }),
  secret: Type.String({ description: "32 random bytes in Base64URL, new at every PUT" }),
});

/** Filter of an application's deliveries. Times are those of the event, both ends included. */
const deliveryFilter = {
  status: Type.Optional(Type.Enum([...DELIVERY_STATES])),
  eventType: Type.Optional(Type.Enum([...EVENT_TYPES])),
  from: Type.Optional(time()),
  to: Type.Optional(time()),
};

/** Query of `GET apps/{appId}/deliveries`. */
export const DeliveriesQuerySchema = Type.Object({
  ...deliveryFilter,
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
});

const delivery = {
  eventId: Type.String(),
  eventType: Type.Enum([...EVENT_TYPES]),
  status: Type.Enum([...DELIVERY_STATES]),
  attemptCount: Type.Integer(),
  createdAt: time(),
  nextAttemptAt: nullable(time("null when there will be none, and while one is under way")),
  lastStatus: nullable(Type.Integer({ description: "HTTP status of the last answer" })),
  lastReason: nullable(Type.String({ description: "Why the last attempt got no answer, or none was made" })),
};

/** A delivery, as the console lists it. */
export const DeliverySchema = Type.Object(delivery);
export type Delivery = Static<typeof DeliverySchema>;

/** Answer of `GET apps/{appId}/deliveries`, newest first. */
export const DeliveryListSchema = Type.Object({
  items: Type.Array(DeliverySchema),
  total: Type.Integer(),
  page: Type.Integer(),
  pageSize: Type.Integer(),
});

/** An attempt to reach a callback. */
const attempt = {
  at: time(),
  address: nullable(Type.String({ description: 'The address that was dialled; "socket" by socket' })),
  status: nullable(Type.Integer()),
  reason: nullable(Type.String()),
  detail: nullable(Type.String({ description: "In words: why there was no answer, or what cut it short" })),
  durationMs: Type.Integer(),
  answer: Type.String({ description: "The first 4 KiB; by socket the reason of a refusal" }),
};

/** Answer of `GET apps/{appId}/deliveries/{eventId}`. */
export const DeliveryDetailSchema = Type.Object({
  ...delivery,
  body: Type.Unknown({ description: "The event, exactly as it is sent" }),
  attempts: Type.Array(
    Type.Object({
      ...attempt,
      phases: Type.Unknown({ description: "Milliseconds that each phase took; null by socket" }),
      nextAttemptAt: nullable(time()),
    }),
    { description: "The newest 100, in their order" },
  ),
});

const phase = (description: string) => nullable(Type.Number({ description }));

/** Answer of `POST apps/{appId}/subscriptions/{eventType}/verify`: whether the address answered with 2xx, and how it went. */
export const VerifiedSchema = Type.Object({
  ...apiResultSchema(Type.Union([Type.Boolean(), Type.Null()])).properties,
  attempt: Type.Object(
    {
      ...attempt,
      phases: Type.Object(
        {
          dnsMs: phase("Looking the name up"),
          connectMs: phase("TCP"),
          tlsMs: phase("TLS"),
          firstByteMs: phase("From the request to the first byte of the answer"),
        },
        {
          description:
            "Milliseconds; null for a phase that was not reached, or not needed on a connection that was kept",
        },
      ),
    },
    { description: "As of a delivery" },
  ),
});

/** Body of `POST apps/{appId}/deliveries/redeliver`: event ids, or a range with both ends. */
export const RedeliverBodySchema = Type.Object({
  eventIds: Type.Optional(Type.Array(plainText({ minLength: 1 }), { minItems: 1, maxItems: MAX_SELECTED })),
  ...deliveryFilter,
});

/** States of a job that redelivers a range. */
const REDELIVERY_STATES = ["RUNNING", "DONE", "CANCELLED"] as const;

/**
 * The result of a selection. Skipped deliveries were DROPPED, which are never sent, or belong to another application.
 */
const redelivered = { redelivered: Type.Integer(), skipped: Type.Integer() };

/** A job that redelivers a range; `total` is the number of selected deliveries when it was created. */
export const RedeliveryJobSchema = Type.Object({
  jobId: Type.String(),
  state: Type.Enum([...REDELIVERY_STATES]),
  total: Type.Integer(),
  ...redelivered,
});
export type RedeliveryJob = Static<typeof RedeliveryJobSchema>;

/** Answer of `POST apps/{appId}/deliveries/redeliver`: the result, or the job that was created. */
export const RedeliveredSchema = Type.Union([Type.Object(redelivered), RedeliveryJobSchema]);
