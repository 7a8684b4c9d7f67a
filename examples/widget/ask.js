document.querySelector("#ask").addEventListener("click", () => window.Portico?.open());
