import { APP_STATES, APP_TYPES, BOUNDS, DESK_BOUNDS, SCOPE_NAMES, TARGET_TYPES } from "@portico/protocol";
import { CannedReplyBodySchema, MAX_ORIGINS, WidgetSettingsBodySchema } from "@portico/protocol/schemas";
import Type, { type Static } from "typebox";

/** Ids appear in URLs, headers and conversation keys. */
const Id = Type.String({ minLength: 1, maxLength: BOUNDS.idLength, pattern: "^[A-Za-z0-9._@-]+$" });
const Text = Type.String({ maxLength: 4_096, pattern: "^[^\\0\\p{Surrogate}]*$" });
/** The maximum of an integer column. */
const MAX_INTEGER = 2 ** 31 - 1;
const closed = { additionalProperties: false };

const Tenant = Type.Object({ id: Id, name: Type.Optional(Text) }, closed);

const Member = Type.Object(
  {
    userId: Id,
    username: Type.Optional(Id),
    tenant: Type.Optional(Id),
    name: Type.Optional(Text),
    password: Type.Optional(Text),
    phone: Type.Optional(Text),
  },
  closed,
);

const Group = Type.Object(
  { id: Id, tenant: Type.Optional(Id), name: Type.Optional(Text), members: Type.Optional(Type.Array(Id)) },
  closed,
);

const Developer = Type.Object(
  {
    phone: Id,
    channelId: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_INTEGER })),
    password: Type.Optional(Text),
    name: Type.Optional(Text),
    tenants: Type.Optional(Type.Array(Id)),
    operator: Type.Optional(Type.Boolean()),
  },
  closed,
);

const positive = Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }));

const App = Type.Object(
  {
    appId: Id,
    type: Type.Optional(Type.Enum([...APP_TYPES])),
    tenant: Type.Optional(Id),
    owner: Type.Optional(Id),
    status: Type.Optional(Type.Enum([...APP_STATES])),
    profile: Type.Optional(
      Type.Object(
        {
          displayName: Type.Optional(Text),
          avatar: Type.Optional(Text),
          allowedOrigins: Type.Optional(Type.Array(Text, { maxItems: MAX_ORIGINS })),
        },
        closed,
      ),
    ),
    credentials: Type.Optional(
      Type.Array(
        Type.Object(
          {
            credentialId: Type.String({ maxLength: BOUNDS.idLength, pattern: "^cred_[A-Za-z0-9._-]+$" }),
            appSecret: Type.String({ minLength: 1, maxLength: 1_024 }),
            rotatedAt: Type.Optional(Text),
          },
          closed,
        ),
      ),
    ),
    scopes: Type.Optional(Type.Array(Type.Enum([...SCOPE_NAMES]))),
    quota: Type.Optional(Type.Object({ perMinute: positive, perDay: positive, concurrent: positive }, closed)),
    installations: Type.Optional(
      Type.Array(Type.Object({ targetType: Type.Enum([...TARGET_TYPES]), targetId: Id }, closed)),
    ),
    cardTemplates: Type.Optional(
      Type.Array(
        Type.Object(
          {
            cardId: Id,
            name: Type.Optional(Text),
            version: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_INTEGER })),
            card: Type.Optional(Type.Unknown()),
          },
          closed,
        ),
      ),
    ),
    agents: Type.Optional(Type.Array(Id)),
    anonymousVisitors: Type.Optional(Type.Boolean()),
    widget: Type.Optional(Type.Object(WidgetSettingsBodySchema.properties, closed)),
    cannedReplies: Type.Optional(
      Type.Array(Type.Object(CannedReplyBodySchema.properties, closed), { maxItems: DESK_BOUNDS.cannedReplies }),
    ),
    visitors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            visitorId: Id,
            thirdUserId: Type.Optional(Text),
            nickname: Type.Optional(Text),
            status: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })),
          },
          closed,
        ),
      ),
    ),
  },
  closed,
);

/** The provisioning file (docs/provisioning.md). Unknown fields are refused, so that typing errors are noticed. */
export const ProvisioningFile = Type.Object(
  {
    tenants: Type.Optional(Type.Array(Tenant)),
    members: Type.Optional(Type.Array(Member)),
    groups: Type.Optional(Type.Array(Group)),
    developers: Type.Optional(Type.Array(Developer)),
    apps: Type.Optional(Type.Array(App)),
  },
  closed,
);
export type ProvisioningFile = Static<typeof ProvisioningFile>;
/** An entry of one kind in a file. */
export type Entry<Kind extends keyof ProvisioningFile> = NonNullable<ProvisioningFile[Kind]>[number];
export type AppEntry = Entry<"apps">;
