import type { Static } from "typebox";
import * as Type from "typebox";
import { CARD_MESSAGES, type CardRule } from "../cards/contract.ts";
import { nullable, pageOf, pageQuery, time } from "./parts.ts";

/** Not only blanks. */
const name = Type.String({ minLength: 1, maxLength: 128, pattern: "^(?=[^]*\\S)[^\\0\\p{Surrogate}]*$" });
const card = Type.Object({}, { description: "At most 64 KiB" });

/** Body of `POST apps/{appId}/card-templates`. The card is checked later. */
export const CreateTemplateBodySchema = Type.Object({ name, card });

/** Body of `PUT apps/{appId}/card-templates/{cardId}`. */
export const SaveTemplateBodySchema = Type.Object({
  name: Type.Optional(nullable(name)),
  card,
  version: Type.Optional(
    nullable(
      Type.Integer({
        description: "Optimistic lock: the version that the template must have, else 409; left out, it is overwritten",
      }),
    ),
  ),
});

/** Who saved a version; null for a version of a provisioning file. */
const savedBy = nullable(Type.Object({ developerId: Type.String(), name: Type.String() }));

const template = {
  cardId: Type.String({ description: "What a send names in content.cardId" }),
  name: Type.String(),
  version: Type.Integer({ description: "Grows with every save" }),
  updatedAt: nullable(time("null for what a provisioning file said")),
  updatedBy: savedBy,
};

/** A card template without its card. */
export const TemplateSchema = Type.Object(template);
export type Template = Static<typeof TemplateSchema>;

/** Query of `GET apps/{appId}/card-templates`. */
export const TemplatesQuerySchema = Type.Object(pageQuery);

/** Answer of `GET apps/{appId}/card-templates`, the most recently saved first. */
export const TemplateListSchema = pageOf(TemplateSchema);

/** A card template with its card. */
export const TemplateDetailSchema = Type.Object({
  ...template,
  card: Type.Unknown({ description: "The card, exactly as it was saved" }),
});

const version = {
  version: Type.Integer(),
  name: Type.String({ description: "What the template was called" }),
  savedAt: nullable(time("null for what a provisioning file said")),
  savedBy,
};

/** A version of a card template without its card. */
export const TemplateVersionSchema = Type.Object(version);
export type TemplateVersion = Static<typeof TemplateVersionSchema>;

/** Answer of `GET apps/{appId}/card-templates/{cardId}/versions`, newest first. */
export const TemplateVersionListSchema = Type.Array(TemplateVersionSchema);

/** A version of a card template with its card. */
export const TemplateVersionDetailSchema = Type.Object({ ...version, card: Type.Unknown() });

/** Body of `POST apps/{appId}/card-templates/preview`. Any value is checked as a card. */
export const PreviewBodySchema = Type.Object({ card: Type.Unknown() });

/** The rules of a preview: those of a card itself, and those of its images' files. */
const PREVIEW_RULES = [...(Object.keys(CARD_MESSAGES) as CardRule[]), "image-file", "image-type"] as const;

/** Answer of `POST apps/{appId}/card-templates/preview`: the result that sending the card now would have. */
export const PreviewSchema = Type.Object({
  valid: Type.Boolean(),
  findings: Type.Array(
    Type.Object({
      path: Type.String({ description: "JSON pointer (RFC 6901) of what breaks the rule" }),
      rule: Type.Enum([...PREVIEW_RULES]),
      message: Type.String({ description: "What a send would answer" }),
      suggestion: Type.String({ description: "What to do about it, in English" }),
    }),
    { description: "At most 100; the first is what a send would answer" },
  ),
  components: Type.Integer({ description: "Counted recursively" }),
  depth: Type.Integer({ description: "Arrays of components within one another; body.elements is the first" }),
  bytes: Type.Integer({ description: "Of the compact JSON in UTF-8" }),
  card: Type.Unknown({ description: "As members would receive it; as it came when it is not valid" }),
});
export type Preview = Static<typeof PreviewSchema>;

/** Body of `POST apps/{appId}/card-templates/send-to-me`. */
export const SendCardBodySchema = Type.Object({ card: Type.Unknown() });

/** Answer of `POST apps/{appId}/card-templates/send-to-me`: the message, and the member who got it. */
export const CardSentToMeSchema = Type.Object({
  messageId: Type.Integer(),
  msgSeq: Type.Integer(),
  userId: Type.String(),
  username: Type.String(),
});
