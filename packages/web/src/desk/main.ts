import { memberSession } from "../shared/session/member.ts";

// Who is signed in is asked before the page's own code runs, which may then wait for the answer.
const asked = memberSession.restore();
const { show } = await import("./page.tsx");
await show(asked);
