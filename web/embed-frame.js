// A calculator alone in an iframe tells the page around it how tall it is, so that the frame can fit it.
(() => {
  if (parent === window) return;
  const id = document.querySelector("section.sheet")?.id;
  let last = 0;
  const tell = () => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (height === last) return;
    last = height;
    parent.postMessage({ scalebook: id, height }, "*"); // a height is no secret
  };
  new ResizeObserver(tell).observe(document.documentElement);
  tell();
})();
