import { testStates } from "./support/accessible-states.ts";

testStates("phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
