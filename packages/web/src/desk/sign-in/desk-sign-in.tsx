import { MemberSignIn } from "../../shared/sign-in/member-sign-in.tsx";
import { useWords } from "../../shared/words/words.ts";
import { DESK } from "../words.ts";

/** The desk, signed out. */
export function DeskSignIn() {
  const say = useWords(DESK);
  return <MemberSignIn home="/desk/" area={say("area")} title={say("signInTitle")} lead={say("signInLead")} />;
}
