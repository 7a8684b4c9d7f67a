import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { checkCard } from "./check-card.ts";
import { findCardProblems } from "./find-card-problems.ts";
import { answerTo } from "./testing/build-card.ts";
import { naiveCheck } from "./testing/naive-card.ts";

const DIV = "不支持的卡片组件: div";

/** The expected answer to each card, and the number of image keys that the service must resolve first. */
const EXPECTED: Record<string, { answer: string | null; images: number }> = {
  "ai-calendar-creation.json": { answer: null, images: 0 },
  "ai-chat-welcome.json": { answer: null, images: 1 },
  "ai-curated-recommendations.json": { answer: "不支持的卡片组件: repeat", images: 0 },
  "ai-image-generation.json": { answer: null, images: 8 },
  "alert-initiation.json": { answer: null, images: 0 },
  "alert-resolved.json": { answer: null, images: 0 },
  "approval-approved.json": { answer: null, images: 0 },
  "approval-reminder.json": { answer: null, images: 0 },
  "article-with-images.json": { answer: null, images: 1 },
  "beta-feature-recruitment.json": { answer: null, images: 1 },
  "bot-tutorial-welcome.json": { answer: null, images: 0 },
  "daily-report-of-codebase.json": { answer: DIV, images: 0 },
  "daily-work-summary.json": { answer: null, images: 2 },
  "data-report-dashboard.json": { answer: "不支持的卡片组件: null", images: 0 },
  "deal-won-announcement.json": { answer: null, images: 1 },
  "equipment-pickup-notification.json": { answer: null, images: 0 },
  "equipment-service-feedback.json": { answer: null, images: 0 },
  "event-announcement.json": { answer: null, images: 1 },
  "order-confirmation-approval.json": { answer: DIV, images: 0 },
  "personal-birthday-greeting.json": { answer: null, images: 2 },
  "product-newsletter.json": { answer: DIV, images: 0 },
  "project-assistant-form.json": { answer: null, images: 0 },
  "sales-leaderboard.json": { answer: null, images: 4 },
  "smart-locker-launch.json": { answer: null, images: 1 },
  "streaming-service-desk.json": { answer: null, images: 0 },
  "team-birthday-greeting.json": { answer: null, images: 2 },
  "travel-hotel-recommendations.json": { answer: null, images: 3 },
  "workplace-social-share.json": { answer: null, images: 0 },
};

const corpora = process.env.PORTICO_TEST_CORPORA;

describe("real cards written for Feishu", () => {
  if (corpora === undefined) {
    test("the corpus", { skip: "set PORTICO_TEST_CORPORA to run" }, () => {});
    return;
  }
  const directory = join(corpora, "feishu-cards");
  const files = readdirSync(directory).filter((file) => file.endsWith(".json"));

  test("every file has an expectation", () => assert.deepEqual(files.sort(), Object.keys(EXPECTED)));
  for (const [file, expected] of Object.entries(EXPECTED)) {
    test(`${file}: ${expected.answer ?? "passes"}, ${expected.images} images to resolve`, () => {
      const card: unknown = JSON.parse(readFileSync(join(directory, file), "utf8"));
      assert.deepEqual({ answer: answerTo(card), images: checkCard(card).images.length }, expected);
      assert.equal(naiveCheck(card).answer, expected.answer);
      assert.equal(findCardProblems(card)[0]?.message ?? null, expected.answer);
    });
  }
});
