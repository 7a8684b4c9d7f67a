import { testStates } from "./support/accessible-states.ts";

testStates("desktop", "en-US", { viewport: { width: 1280, height: 800 } });
