/** An area on which files can be dropped. */
import { type DragEvent, useState } from 'react';

/**
 * The properties of such an area. It has the attribute `data-over` while something is dragged over it.
 * @param take receives the dropped files; the list is empty when something else was dropped
 */
export function useDropZone(take: (files: FileList) => void) {
  const [isOver, setIsOver] = useState(false);
  return {
    'data-over': isOver || undefined,
    onDragOver(event: DragEvent) {
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave(event: DragEvent) {
      if (hasLeft(event)) setIsOver(false);
    },
    onDrop(event: DragEvent) {
      event.preventDefault();
      setIsOver(false);
      take(event.dataTransfer.files);
    },
  };
}

/** Whether a `dragleave` is that of the area itself. Elements in it cause it as well, when the pointer moves from one to the next. */
export function hasLeft({ currentTarget, relatedTarget }: DragEvent): boolean {
  return !(relatedTarget instanceof Node && currentTarget.contains(relatedTarget));
}
