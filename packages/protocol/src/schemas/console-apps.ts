import type { Static } from "typebox";
import * as Type from "typebox";
import { BOUNDS } from "../limits.ts";
import { APP_STATES, APP_TYPES, SCOPE_NAMES } from "../scopes.ts";
import { nullable, pageOf, pageQuery, time } from "./parts.ts";
import { plainLine, plainText } from "./plain-text.ts";
import { WidgetSettingsBodySchema, WidgetSettingsSchema } from "./widget-settings.ts";

/** The most characters of a display name, a URL, and free text. */
const MAX_NAME_LENGTH = 64;
const MAX_ADDRESS_LENGTH = 2_048;
const MAX_TEXT_LENGTH = 2_000;
const MAX_KEYWORD_LENGTH = 64;

/** The most scopes in one call. */
const MAX_SCOPES = 50;

/** The most sites of an application's widget. */
export const MAX_ORIGINS = 50;

/** States of a review; an application has at most one that is PENDING. */
export const REVIEW_STATES = ["PENDING", "APPROVED", "REJECTED", "WITHDRAWN"] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** The state of a scope for an application. */
export const SCOPE_STATES = ["GRANTED", "REQUESTED", "NONE"] as const;

/** The state of a credential: valid until it is rotated, then valid for a grace period, then expired. */
export const CREDENTIAL_STATES = ["CURRENT", "GRACE", "EXPIRED"] as const;

const scope = Type.Enum([...SCOPE_NAMES]);
const risk = Type.Enum(["low", "high"]);
const text = () => plainText({ maxLength: MAX_TEXT_LENGTH });

const review = {
  state: Type.Enum([...REVIEW_STATES]),
  note: Type.String({ description: "The owner's words" }),
  scopes: Type.Array(scope, { description: "What was asked for" }),
  submittedAt: time(),
  reviewedAt: nullable(time("null while it is pending")),
  comment: nullable(Type.String({ description: "The reviewer's words" })),
};

/** The state of a submission. */
export const AppReviewSchema = Type.Object(review);
export type AppReview = Static<typeof AppReviewSchema>;

const app = {
  appId: Type.String(),
  type: Type.Enum([...APP_TYPES]),
  tenantId: Type.String(),
  ownerId: nullable(Type.String()),
  status: Type.Enum([...APP_STATES]),
  disabledReason: nullable(Type.String({ description: "The operator's words; null unless it is DISABLED" })),
  displayName: Type.String(),
  avatar: Type.String(),
  description: Type.String(),
  createdAt: time(),
};

/** An application, as the console shows it. */
export const AppSchema = Type.Object({ ...app, review: nullable(AppReviewSchema) });
export type ConsoleAppView = Static<typeof AppSchema>;

/** Filter of applications. */
const appFilter = {
  status: Type.Optional(Type.Enum([...APP_STATES])),
  type: Type.Optional(Type.Enum([...APP_TYPES])),
  keyword: Type.Optional(plainText({ maxLength: MAX_KEYWORD_LENGTH, description: "Part of the name or of the appId" })),
};

/** Query of `GET apps`. */
export const AppsQuerySchema = Type.Object({ ...appFilter, ...pageQuery });

/** Answer of `GET apps`, newest first. */
export const ConsoleAppListSchema = pageOf(AppSchema);

/** A web address, or empty; checked later. */
const avatar = plainLine({ maxLength: MAX_ADDRESS_LENGTH, description: "Empty, or an HTTP or HTTPS address" });
const displayName = plainLine({ minLength: 1, maxLength: MAX_NAME_LENGTH });

/** Body of `POST apps`. */
export const CreateAppBodySchema = Type.Object({
  type: Type.Enum([...APP_TYPES]),
  displayName,
  avatar: Type.Optional(avatar),
  description: Type.Optional(text()),
  tenantId: Type.Optional(plainText({ minLength: 1, maxLength: BOUNDS.idLength })),
});

/** Body of `PATCH apps/{appId}`. Missing members do not change. */
export const UpdateAppBodySchema = Type.Object({
  displayName: Type.Optional(displayName),
  avatar: Type.Optional(avatar),
  description: Type.Optional(text()),
  allowedOrigins: Type.Optional(
    Type.Array(plainLine({ minLength: 1, maxLength: MAX_ADDRESS_LENGTH }), {
      maxItems: MAX_ORIGINS,
      description:
        "Of a CUSTOMER_SERVICE application: the sites that its widget may be put on, such as https://example.com",
    }),
  ),
  anonymousVisitors: Type.Optional(
    Type.Boolean({ description: "Whether visitors whom the site does not name may write, too" }),
  ),
  widget: Type.Optional(WidgetSettingsBodySchema),
});

/** What concerns the widget of an application. */
const ofWidget = {
  allowedOrigins: Type.Array(Type.String(), { description: "The sites that its widget may be put on" }),
  anonymousVisitors: Type.Boolean({ description: "Whether visitors whom the site does not name may write, too" }),
  widget: WidgetSettingsSchema,
};

/** Answer of `PATCH apps/{appId}`. */
export const UpdatedAppSchema = Type.Object({ ...AppSchema.properties, ...ofWidget });

const pair = {
  credentialId: Type.String({ description: "Begins with cred_" }),
  appSecret: Type.String({ description: "Shown this once" }),
};

/** Answer of `POST apps`, the only one with the credential's secret. */
export const CreatedAppSchema = Type.Object({ ...AppSchema.properties, ...pair });

/** Answer of `POST apps/{appId}/credentials`, the only one with the credential's secret. */
export const NewCredentialSchema = Type.Object({ ...pair, createdAt: time() });

/** Answer of `GET apps/{appId}/credentials`, newest first. */
export const CredentialListSchema = Type.Array(
  Type.Object({
    credential: Type.String({ description: "The last four characters of its id" }),
    createdAt: time(),
    rotatedAt: nullable(time("When a newer one took its place")),
    expiresAt: nullable(time("When its grace ends or ended; null while it is current")),
    lastUsedAt: nullable(time("When a call was last signed with it, to the minute")),
    status: Type.Enum([...CREDENTIAL_STATES]),
  }),
);
export type CredentialList = Static<typeof CredentialListSchema>;

/** Answer of `GET apps/{appId}/scopes`: all scopes that an application of its type may hold. */
export const AppScopeListSchema = Type.Array(
  Type.Object({
    scope,
    state: Type.Enum([...SCOPE_STATES]),
    risk,
    defaultGranted: Type.Boolean(),
  }),
);
export type AppScopeList = Static<typeof AppScopeListSchema>;

/** Body of `POST apps/{appId}/scopes`. The note is stored with the review that the request opens. */
export const RequestScopesBodySchema = Type.Object({
  scopes: Type.Array(scope, { minItems: 1, maxItems: MAX_SCOPES }),
  note: Type.Optional(text()),
});

/** Answer of `GET apps/{appId}/quota`: the limits in force, and which of them are defaults. */
export const AppQuotaSchema = Type.Object({
  perMinute: Type.Integer(),
  perDay: Type.Integer(),
  concurrent: Type.Integer(),
  isDefault: Type.Object({ perMinute: Type.Boolean(), perDay: Type.Boolean(), concurrent: Type.Boolean() }),
  usedToday: Type.Integer({ description: "Calls counted on this UTC day" }),
});
export type AppQuota = Static<typeof AppQuotaSchema>;

/** Answer of `GET apps/{appId}`. */
export const AppDetailSchema = Type.Object({
  ...AppSchema.properties,
  ...ofWidget,
  scopes: AppScopeListSchema,
  quota: AppQuotaSchema,
});

/** Body of `POST apps/{appId}/submit`. */
export const SubmitAppBodySchema = Type.Object({ note: Type.Optional(text()) });

/** The owner of an application, as operators see them. */
export const AppOwnerSchema = Type.Object({
  developerId: Type.String(),
  name: Type.String(),
  phone: Type.String({ description: "Masked" }),
});
export type AppOwner = Static<typeof AppOwnerSchema>;

/** Query of `GET operator/reviews`. */
export const ReviewsQuerySchema = Type.Object({
  state: Type.Optional(Type.Enum([...REVIEW_STATES], { default: "PENDING" })),
  ...pageQuery,
});

/** What a reviewer judges of an application. */
export const REVIEWED_FIELDS = [
  "displayName",
  "avatar",
  "description",
  "allowedOrigins",
  "anonymousVisitors",
  "callbacks",
  "scopes",
] as const;
export type ReviewedField = (typeof REVIEWED_FIELDS)[number];

/** What a field of an application was at its last approval, and is now. */
export const ReviewChangeSchema = Type.Object({
  field: Type.Enum([...REVIEWED_FIELDS]),
  before: Type.Array(Type.String()),
  after: Type.Array(Type.String(), {
    description:
      "A text has one entry, or none while it is empty; what is allowed has the entry true; a callback is its event type, a space, and where to",
  }),
});
export type ReviewChange = Static<typeof ReviewChangeSchema>;

/** Answer of `GET operator/reviews`: pending reviews oldest first, others newest first. */
export const ReviewListSchema = pageOf(
  Type.Object({
    ...review,
    scopes: Type.Array(Type.Object({ scope, risk })),
    reviewedBy: nullable(Type.String({ description: "developerId" })),
    app: Type.Object(app),
    owner: nullable(AppOwnerSchema),
    approvedAt: nullable(time("When the application was last approved; null when it never was")),
    changes: nullable(
      Type.Array(ReviewChangeSchema, {
        description:
          "Of a pending review: what is other than at the last approval, or at all. null: the review is decided, or what was approved is not known",
      }),
    ),
    revision: Type.String({ description: "Names what there is to be judged, for the decision; empty when decided" }),
  }),
);

/** What a reviewer saw of a review. */
const revisionSeen = Type.Optional(
  plainText({
    maxLength: BOUNDS.idLength,
    description: "That of the review as the reviewer saw it; refused when the application has changed since",
  }),
);

/** Body of `POST operator/reviews/{appId}/approve`. */
export const ApproveBodySchema = Type.Object({
  comment: Type.Optional(text()),
  revision: revisionSeen,
  scopes: Type.Optional(
    Type.Array(scope, {
      maxItems: MAX_SCOPES,
      description: "The requested scopes that the reviewer saw; refused when they are others by now",
    }),
  ),
});

/** Body of `POST operator/reviews/{appId}/reject`. */
export const RejectBodySchema = Type.Object({
  comment: plainText({ minLength: 1, maxLength: MAX_TEXT_LENGTH }),
  revision: revisionSeen,
});

/** Query of `GET operator/apps`. */
export const OperatorAppsQuerySchema = Type.Object({
  ...appFilter,
  tenantId: Type.Optional(plainText({ maxLength: BOUNDS.idLength })),
  ...pageQuery,
});

const operatorApp = { ...AppSchema.properties, owner: nullable(AppOwnerSchema) };

/** An application, as operators see it. */
export const OperatorAppSchema = Type.Object(operatorApp);

/** Answer of `GET operator/apps`, newest first. */
export const OperatorAppListSchema = pageOf(OperatorAppSchema);

/** Answer of `GET operator/apps/{appId}`. */
export const OperatorAppDetailSchema = Type.Object({
  ...operatorApp,
  ...ofWidget,
  scopes: AppScopeListSchema,
  quota: AppQuotaSchema,
});

/** Body of `POST operator/apps/{appId}/disable`. */
export const DisableBodySchema = Type.Object({ reason: plainText({ minLength: 1, maxLength: MAX_TEXT_LENGTH }) });

const ownLimit = nullable(
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: "null: the default" }),
);

/** Body of `PUT operator/apps/{appId}/quota`. */
export const QuotaBodySchema = Type.Object({ perMinute: ownLimit, perDay: ownLimit, concurrent: ownLimit });
