// The way to another language leads to the same section, with the reader's numbers.
for (const a of document.querySelectorAll(".page-language")) a.addEventListener("click", () => {
  const marks = [...document.querySelectorAll("main :is(h2, h3, section.sheet)[id]")];
  a.search = location.search;
  a.hash = marks.filter((e) => e.getBoundingClientRect().top < innerHeight / 3).at(-1)?.id ?? "";
});
