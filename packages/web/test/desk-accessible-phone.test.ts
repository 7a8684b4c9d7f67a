import { DESK, testStates } from "./support/accessible-states.ts";

testStates(DESK, "phone", "zh-CN", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
