import type { SignInMethods } from "@portico/protocol/schemas";
import buttons from "../ui/button.module.css";
import { useWords } from "../words/words.ts";
import { addressOf, keepFragment } from "./provider-address.ts";
import styles from "./provider-link.module.css";
import { SIGN_IN } from "./words.ts";

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
        onClick={keepFragment}
      >
        {say("withProvider", { name: oidc.name })}
      </a>
    </>
  );
}
