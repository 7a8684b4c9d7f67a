import { testStates } from "./support/accessible-states.ts";

testStates("desktop", { viewport: { width: 1280, height: 800 } });
