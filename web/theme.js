// Runs before the first paint, so that nobody sees the wrong theme flash by.
(() => {
  const root = document.documentElement;
  root.classList.add("js"); // calculators will come alive: taken away again if they can't
  root.dataset.scripts = ""; // scripts run: stays
  try {
    const theme = localStorage.getItem(`scalebook:${document.currentScript.dataset.base}:theme`);
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch { /* storage is blocked: follow the system */ }
})();
