import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { confirmAtSignIn as confirm, type SecondFactorParts } from "../../../domain/accounts/second-factor/sign-in.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { setSessionCookies } from "./session-cookies.ts";

/** POST auth/second-factor/enrol/confirm: the first code of the new second factor ends the sign-in. */
export const confirmAtSignIn: ConsoleRoute<typeof CONSOLE_ENDPOINTS.confirmAtSignIn, SecondFactorParts> = {
  endpoint: CONSOLE_ENDPOINTS.confirmAtSignIn,
  async handle(ctx, { body, origin, reply }) {
    const { session, recoveryCodes } = await confirm(ctx, body, origin);
    setSessionCookies(ctx, session, reply);
    return { ...session.login, recoveryCodes };
  },
};
