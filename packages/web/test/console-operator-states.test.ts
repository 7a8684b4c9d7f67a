import { describeStates, isOfOperators } from "./support/console-states.ts";

describeStates("desktop", isOfOperators);
