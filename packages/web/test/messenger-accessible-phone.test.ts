import { START_AND_MESSENGER, testStates } from "./support/accessible-states.ts";

testStates(START_AND_MESSENGER, "phone", "zh-CN", {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
});
