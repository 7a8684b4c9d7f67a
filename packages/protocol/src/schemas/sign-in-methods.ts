import type { Static } from "typebox";
import * as Type from "typebox";
import { BOUNDS } from "../limits.ts";
import { nullable } from "./parts.ts";
import { plainText } from "./plain-text.ts";

/** Query of a member's `GET auth/methods`. */
export const SignInMethodsQuerySchema = Type.Object({
  tenantId: Type.Optional(
    plainText({
      minLength: 1,
      maxLength: BOUNDS.idLength,
      description: "Whose members; left out: of the only tenant that has a provider, if there is one",
    }),
  ),
});

/** What `GET auth/methods` answers: how people may sign in. */
export const SignInMethodsSchema = Type.Object({
  password: Type.Boolean({ description: "Whether all may sign in with a password; operators always may" }),
  qr: Type.Boolean({ description: "Whether by a code that the messenger scans" }),
  oidc: nullable(
    Type.Object(
      {
        startUrl: Type.String({ description: "Where the browser goes to; takes a further `returnTo`" }),
        name: Type.String({ description: "What people know the provider by" }),
      },
      { description: "With the company's provider" },
    ),
  ),
});
export type SignInMethods = Static<typeof SignInMethodsSchema>;
