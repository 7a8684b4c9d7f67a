import type { SignInMethods } from "@portico/protocol/schemas";
import { useContext } from "react";
import buttons from "../ui/button.module.css";
import { useWords } from "../words/words.ts";
import { EndedContext } from "./ended.ts";
import { addressOf, keepFragment } from "./provider-address.ts";
import styles from "./provider-link.module.css";
import { SIGN_IN } from "./words.ts";

/** The way to sign in with the company's provider; `isOnly` where there is no other beside it. */
export function ProviderLink({ oidc, isOnly }: { oidc: NonNullable<SignInMethods["oidc"]>; isOnly: boolean }) {
  const say = useWords(SIGN_IN);
  // The page waits with what was typed, which the way to the provider would end.
  const target = useContext(EndedContext) === null ? undefined : "_blank";
  return (
    <>
      {!isOnly && <p className={styles.or}>{say("or")}</p>}
      <a
        className={`${buttons.button} ${styles.link}`}
        data-kind={isOnly ? "primary" : "plain"}
        data-size="normal"
        href={addressOf(oidc)}
        target={target}
        onClick={keepFragment}
      >
        {say("withProvider", { name: oidc.name })}
      </a>
    </>
  );
}
