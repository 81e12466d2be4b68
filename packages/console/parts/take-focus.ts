/** As a `ref`: what a page begins with has the focus, but for a screen whose keyboard would cover the page. */
export const takeFocus = (field: HTMLElement | null): void => {
  if (matchMedia('(hover: hover)').matches) field?.focus({ preventScroll: true });
};
