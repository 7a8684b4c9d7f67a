import { Dispatcher } from "../../src/domain/webhooks/dispatcher/dispatcher.ts";

// Preloaded into a process of the service. The moment between the commit of a delivery that it has claimed and the
// attempt is too short to be hit from outside, so the process ends itself there, as if it had been killed.
const { written } = Dispatcher.prototype;
Dispatcher.prototype.written = function (appId, claim, isCommitted) {
  if (claim.deliveryId !== null) process.kill(process.pid, "SIGKILL");
  written.call(this, appId, claim, isCommitted);
};
