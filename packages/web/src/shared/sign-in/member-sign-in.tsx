import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useContext, useEffect, useState } from "react";
import { memberApi, memberSession } from "../session/member.ts";
import { Button } from "../ui/button.tsx";
import { ErrorNotice } from "../ui/error-notice.tsx";
import { SignInFrame } from "../ui/sign-in-frame.tsx";
import { TextField } from "../ui/text-field.tsx";
import { useWords } from "../words/words.ts";
import { EndedContext } from "./ended.ts";
import styles from "./member-sign-in.module.css";
import { addressOf, keepFragment } from "./provider-address.ts";
import { ProviderLink } from "./provider-link.tsx";
import { SIGN_IN } from "./words.ts";

const EMPTY = { tenantId: "", username: "", password: "" };
const FIELDS = ["tenantId", "username", "password"] as const;

/** A page of members, signed out: what they sign in to is the same in all of them. */
export function MemberSignIn({ home, area, title, lead }: { home: string; area: string; title: string; lead: string }) {
  const say = useWords(SIGN_IN);
  const [fields, setFields] = useState(EMPTY);
  const [isChecked, setChecked] = useState(false);
  const [asked, setAsked] = useState("");
  const hasEnded = useContext(EndedContext) !== null;
  const { data: methods } = useQuery({
    queryKey: ["sign-in-methods", asked],
    queryFn: ({ signal }) => memberApi.getSignInMethods({ query: { tenantId: asked || undefined } }, { signal }),
  });
  // A tenant's provider is no other's: while another is typed, there is no way to it.
  const oidc = (fields.tenantId.trim() === asked && methods?.oidc) || null;
  const isOnly = oidc !== null && methods?.password === false;
  const shown = isOnly ? (["tenantId"] as const) : FIELDS;
  useEffect(() => {
    document.title = `${title} · Portico`;
  }, [title]);
  const signIn = useMutation({
    mutationFn: (body: typeof EMPTY) => memberApi.login({ body }),
    onSuccess: (login) => memberSession.start(login),
  });
  const looks = {
    tenantId: { label: say("organisation"), missing: say("needOrganisation"), autoComplete: "organization" },
    username: { label: say("userName"), missing: say("needUserName"), autoComplete: "username" },
    password: { label: say("password"), missing: say("needPassword"), autoComplete: "current-password" },
  };

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    setAsked(fields.tenantId.trim());
    if (isOnly) {
      keepFragment();
      // The page waits with what was typed, which the way to the provider would end.
      if (hasEnded) open(addressOf(oidc), "_blank", "noopener");
      else location.assign(addressOf(oidc));
      return;
    }
    setChecked(true);
    const missing = FIELDS.find((name) => fields[name].trim() === "");
    if (missing !== undefined) event.currentTarget.querySelector<HTMLElement>(`[name=${missing}]`)?.focus();
    const { tenantId, username, password } = fields;
    const body = { tenantId: tenantId.trim(), username: username.trim(), password };
    // A second press while the first is under way signs in once.
    if (Object.values(body).every((value) => value !== "") && !signIn.isPending) signIn.mutate(body);
  }

  return (
    <SignInFrame home={home} area={area} title={title} lead={lead}>
      <form className={styles.form} onSubmit={submit} noValidate>
        {shown.map((name) => {
          const { label, missing, autoComplete } = looks[name];
          return (
            <TextField
              key={name}
              name={name}
              label={label}
              type={name === "password" ? "password" : "text"}
              autoComplete={autoComplete}
              autoFocus={name === "tenantId"}
              autoCapitalize="none"
              spellCheck={false}
              maxLength={name === "password" ? 1_024 : 64}
              value={fields[name]}
              fault={isChecked && fields[name].trim() === "" ? missing : undefined}
              onChange={({ target }) => setFields({ ...fields, [name]: target.value })}
              onBlur={() => setAsked(fields.tenantId.trim())}
            />
          );
        })}
        {signIn.isError && <ErrorNotice error={signIn.error} />}
        {!isOnly && (
          <Button kind="primary" type="submit" isBusy={signIn.isPending}>
            {say("signIn")}
          </Button>
        )}
      </form>
      {oidc && <ProviderLink oidc={oidc} isOnly={isOnly} />}
    </SignInFrame>
  );
}
