import { lazy } from "react";
import { mount } from "../shared/app/portico-app.tsx";
import { SignedIn } from "../shared/app/signed-in.tsx";
import { consoleSession } from "../shared/session/console.ts";

const ConsoleSignIn = lazy(async () => ({ default: (await import("./sign-in/console-sign-in.tsx")).ConsoleSignIn }));
const Console = lazy(async () => ({ default: (await import("./console.tsx")).Console }));

mount(
  <SignedIn session={consoleSession} signIn={<ConsoleSignIn />}>
    {() => <Console />}
  </SignedIn>,
);
