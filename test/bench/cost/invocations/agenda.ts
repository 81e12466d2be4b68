/** What is due at a time, the earliest first; of the same time, what was added first. */
export interface Agenda<T> {
  add(at: number, what: T): void;
  next(): { at: number; what: T } | undefined;
}

interface Entry<T> {
  at: number;
  order: number;
  what: T;
}

const isBefore = <T>(left: Entry<T>, right: Entry<T>) =>
  left.at < right.at || (left.at === right.at && left.order < right.order);

export function createAgenda<T>(): Agenda<T> {
  const heap: Entry<T>[] = [];
  let added = 0;
  const swap = (i: number, j: number) => {
    [heap[i], heap[j]] = [heap[j]!, heap[i]!];
  };
  const sink = (from: number) => {
    for (let i = from; ; ) {
      const [left, right] = [2 * i + 1, 2 * i + 2];
      let least = i;
      if (left < heap.length && isBefore(heap[left]!, heap[least]!)) least = left;
      if (right < heap.length && isBefore(heap[right]!, heap[least]!)) least = right;
      if (least === i) return;
      swap(i, least);
      i = least;
    }
  };
  return {
    add(at, what) {
      heap.push({ at, order: added++, what });
      for (let i = heap.length - 1; i > 0; ) {
        const parent = (i - 1) >> 1;
        if (!isBefore(heap[i]!, heap[parent]!)) return;
        swap(i, parent);
        i = parent;
      }
    },
    next() {
      const [first] = heap;
      const last = heap.pop();
      if (heap.length > 0 && last) {
        heap[0] = last;
        sink(0);
      }
      return first;
    },
  };
}
