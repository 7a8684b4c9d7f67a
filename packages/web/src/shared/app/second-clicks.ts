/** What is pressed several times in a row on purpose: to turn pages, to put in several of the same. */
const REPEATED = "[data-repeated], .ant-picker-panel, .ant-pagination, .ant-input-number";

/**
 * Has the second click of a double click press no button. Many people double-click everything: the second would do the same once
 * more, undo it where the button has become its opposite, or press what has come to lie under the pointer.
 */
export function ignoreSecondClicks(): void {
  addEventListener(
    "click",
    (event) => {
      if (event.detail < 2 || !(event.target instanceof Element)) return;
      const button = event.target.closest("button, [role=button], [role=switch], [role=menuitem]");
      if (button === null || button.closest(REPEATED) !== null) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
}
