import * as Type from "typebox";
import { plainText } from "./plain-text.ts";

/** Body of `PUT me/password`, for developers and members. The service's own rules are checked later. */
export const ChangePasswordBodySchema = Type.Object({
  currentPassword: plainText({ minLength: 1, maxLength: 1_024 }),
  newPassword: plainText({ minLength: 8, maxLength: 1_024 }),
});

/** `value` of the calls of members that answer with nothing. */
export const EmptySchema = Type.Object({});
