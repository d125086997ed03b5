// The scratch pad offers the names that fit where the reader writes. pad.js fetches this file once there is a program.
export function complete({ pad, text, list, box, paint, insert, say }) {
  let names = [],
    chosen = 0,
    prefix = "";
  function offer(asked) {
    const at = text.selectionStart,
      before = text.value.slice(0, at);
    if (at !== text.selectionEnd) {
      close();
      return;
    }
    prefix = /[\p{L}\p{N}_]*$/u.exec(before)[0];
    const member = /[\p{L}_][\p{L}\p{N}_]*\.$/u.test(before.slice(0, at - prefix.length));
    if (!asked && prefix.length < 2 && !member) {
      close();
      return;
    }
    names = (pad.names(text.value, before)?.names ?? []).slice(0, 60);
    if (!names.length || (!asked && names.includes(prefix))) {
      if (asked) say(phrase("site.pad-no-name"));
      close();
      return;
    }
    chosen = 0;
    list.replaceChildren(
      ...names.map((name, i) => {
        const li = document.createElement("li");
        li.id = `pad-name-${i}`;
        li.setAttribute("role", "option");
        li.textContent = name;
        li.addEventListener("click", () => {
          chosen = i;
          accept();
        });
        return li;
      }),
    );
    list.hidden = false;
    const point = paint(at - prefix.length),
      edge = box.clientWidth - list.offsetWidth;
    list.style.left = `${Math.max(0, Math.min(point.offsetLeft - text.scrollLeft, edge))}px`;
    list.style.top = `${point.offsetTop - text.scrollTop + point.offsetHeight + 2}px`;
    choose(0);
    if (asked) say(names.length === 1 ? "1 name." : `${names.length} names.`);
  }
  function choose(i) {
    chosen = (i + names.length) % names.length;
    [...list.children].forEach((li, j) => li.setAttribute("aria-selected", String(j === chosen)));
    const li = list.children[chosen];
    text.setAttribute("aria-activedescendant", li.id);
    if (li.offsetTop < list.scrollTop) list.scrollTop = li.offsetTop;
    if (li.offsetTop + li.offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = li.offsetTop + li.offsetHeight - list.clientHeight;
  }
  function close() {
    if (list.hidden) return;
    list.hidden = true;
    list.replaceChildren();
    text.removeAttribute("aria-activedescendant");
  }
  function accept() {
    const at = text.selectionStart,
      name = names[chosen];
    close();
    insert(at - prefix.length, at, name);
    close();
  }
  // Enter accepted a name and must not end the line as well.
  let taken = false;
  text.addEventListener("keypress", (e) => {
    if (taken) e.preventDefault();
  });
  text.addEventListener("keydown", (e) => {
    taken = false;
    if (e.isComposing) return;
    if (e.ctrlKey && e.code === "Space") {
      e.preventDefault();
      offer(true);
      return;
    }
    if (list.hidden || e.ctrlKey || e.metaKey || e.altKey || e.shiftKey) return;
    switch (e.key) {
      case "ArrowDown":
        choose(chosen + 1);
        break;
      case "ArrowUp":
        choose(chosen - 1);
        break;
      case "Enter":
      case "Tab":
        accept();
        taken = true;
        break;
      case "Escape":
        close();
        break;
      case "ArrowLeft":
      case "ArrowRight":
      case "Home":
      case "End":
      case "PageUp":
      case "PageDown":
        close();
        return;
      default:
        return;
    }
    e.preventDefault();
  });
  text.addEventListener("input", (e) => {
    if (e.isComposing) return;
    if (e.inputType === "insertText" || (e.inputType === "deleteContentBackward" && !list.hidden)) offer(false);
    else close();
  });
  text.addEventListener("blur", close);
  text.addEventListener("pointerdown", close);
  // The focus stays in the text.
  list.addEventListener("pointerdown", (e) => e.preventDefault());
}
