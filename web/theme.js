// Runs before the page is shown, so that nobody sees the wrong theme flash by and nothing moves when scripts are known
// to run. It sees to it that a style sheet doesn't keep the page for long, and that no script is lost in silence.
(() => {
  const root = document.documentElement,
    find = (selector) => document.querySelector(selector);
  root.classList.add("js"); // calculators will run: taken away again if they can't
  root.dataset.scripts = ""; // scripts run: stays
  try {
    const theme = localStorage.getItem(`scalebook:${document.currentScript.dataset.base}:theme`);
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch {
    /* storage is blocked: follow the system */
  }

  // A style sheet that a script has put into the page doesn't keep the text from being shown.
  setTimeout(() => {
    for (const link of document.querySelectorAll("link[rel=stylesheet]"))
      if (!link.sheet) link.replaceWith(link.cloneNode());
  }, 1000);

  // Without a script that it needs the page is as it would be without any, and says so.
  const lacks = () => find("html:not([data-book]), html:not([data-pad]) #pad-text");
  function say(text) {
    const notice = find("#notice");
    notice.textContent = text;
    notice.hidden = false;
  }
  function look() {
    if (!lacks()) return;
    root.classList.remove("js");
    root.dataset.scripts = "lost";
    say(phrase("site.scripts-lost"));
  }
  if (document.readyState === "complete") look();
  else for (const event of ["DOMContentLoaded", "load"]) addEventListener(event, look); // the first may be over already
  setTimeout(() => {
    if (root.dataset.scripts === "" && lacks() && find("#notice")) say(phrase("site.starting"));
  }, 15000);
})();
