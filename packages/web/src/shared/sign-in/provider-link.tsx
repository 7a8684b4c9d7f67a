import type { SignInMethods } from "@portico/protocol/schemas";
import buttons from "../ui/button.module.css";
import { useWords } from "../words/words.ts";
import styles from "./provider-link.module.css";
import { SIGN_IN } from "./words.ts";

/** Where the browser goes to sign in with a provider, to come back to the page that is open. */
export function addressOf({ startUrl }: NonNullable<SignInMethods["oidc"]>): string {
  const address = new URL(startUrl);
  address.searchParams.set("returnTo", location.pathname + location.search + location.hash);
  return address.href;
}

/** The way to sign in with the company's provider; `isOnly` where there is no other beside it. */
export function ProviderLink({ oidc, isOnly }: { oidc: NonNullable<SignInMethods["oidc"]>; isOnly: boolean }) {
  const say = useWords(SIGN_IN);
  return (
    <>
      {!isOnly && <p className={styles.or}>{say("or")}</p>}
      <a
        className={`${buttons.button} ${styles.link}`}
        data-kind={isOnly ? "primary" : "plain"}
        data-size="normal"
        href={addressOf(oidc)}
      >
        {say("withProvider", { name: oidc.name })}
      </a>
    </>
  );
}
