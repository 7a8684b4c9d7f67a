import { MemberSignIn } from "../../shared/sign-in/member-sign-in.tsx";
import { useWords } from "../../shared/words/words.ts";
import { MESSENGER } from "../words.ts";

/** The messenger, signed out. */
export function MessengerSignIn() {
  const say = useWords(MESSENGER);
  return <MemberSignIn home="/messenger/" area={say("area")} title={say("signInTitle")} lead={say("signInLead")} />;
}
