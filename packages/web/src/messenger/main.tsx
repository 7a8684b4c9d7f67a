import { lazy } from "react";
import { mount } from "../shared/app/portico-app.tsx";
import { SignedIn } from "../shared/app/signed-in.tsx";
import { memberSession } from "../shared/session/member.ts";

// Each is loaded only when it is shown: who is signed in needs no form, who is not needs no messages.
const MemberSignIn = lazy(async () => ({ default: (await import("./sign-in/member-sign-in.tsx")).MemberSignIn }));
const MessengerShell = lazy(async () => ({ default: (await import("./shell/messenger-shell.tsx")).MessengerShell }));

mount(
  <SignedIn session={memberSession} signIn={<MemberSignIn />}>
    {({ user }) => <MessengerShell key={user.userId} user={user} />}
  </SignedIn>,
);
