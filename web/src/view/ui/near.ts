// Visibility of elements: a callback, once, when an element comes into view or near it, so that
// views are made when they are worth making.

const MARGIN = "800px 0px";
const waiting = new WeakMap<Element, () => void>();

const observer = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      const near = waiting.get(target);
      waiting.delete(target);
      near?.();
    }
  },
  { rootMargin: MARGIN },
);

export function whenNear(element: Element, near: () => void): void {
  waiting.set(element, near);
  observer.observe(element);
}

export function forgetNear(element: Element): void {
  waiting.delete(element);
  observer.unobserve(element);
}
