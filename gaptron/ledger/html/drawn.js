(() => {
  "use strict";
  for (const figure of document.querySelectorAll("figure.plots")) {
    const data = JSON.parse(figure.dataset.plot), slider = figure.querySelector("input");
    const lines = figure.querySelectorAll("[data-line]");
    const show = () => {
      const n = Number(slider.value);
      lines.forEach((path) => path.setAttribute("d", data.lines[path.dataset.line][n]));
      figure.querySelector("output").textContent = data.sizes[n];
      figure.querySelector(".says").textContent = data.says[n];
      slider.setAttribute("aria-valuetext", `${data.size} = ${data.sizes[n]}`);
    };
    slider.addEventListener("input", show);
    show();
  }
})();
