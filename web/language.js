// The way to another language leads to the same section, with the reader's numbers; from the top of a page to its top.
for (const a of document.querySelectorAll(".page-language"))
  a.addEventListener("click", () => {
    const marks = [...document.querySelectorAll("main :is(h2, h3, section.sheet)[id]:not(.sheet *)")];
    const read = marks.filter((e) => e.getBoundingClientRect().top < innerHeight / 3).at(-1);
    a.search = location.search;
    a.hash = scrollY > 0 && read ? read.id : "";
  });
