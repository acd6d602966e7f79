/** Moves the entries of a list by dragging them at their grips. Keyboards and touch screens have the buttons instead. */
import { type DragEvent, useState } from 'react';
import { hasLeft } from '../ui/use-drop-zone.ts';

/** Where the dragged entry would be dropped: at an edge of another one. */
interface Target {
  readonly index: number;
  readonly edge: 'before' | 'after';
}

/** @param move moves the entry at one position to another one, which it has afterwards */
export function useEntryDragging(move: (from: number, to: number) => void) {
  const [dragged, setDragged] = useState<number | null>(null);
  const [target, setTarget] = useState<Target | null>(null);
  const end = () => {
    setDragged(null);
    setTarget(null);
  };
  return {
    propsOfGrip: (index: number) => ({
      draggable: true,
      onDragStart: ({ currentTarget, dataTransfer, clientX, clientY }: DragEvent) => {
        dataTransfer.effectAllowed = 'move';
        // Firefox drags nothing without data.
        dataTransfer.setData('text/plain', String(index + 1));
        const entry = currentTarget.closest('[data-position]');
        if (entry !== null) {
          const { left, top } = entry.getBoundingClientRect();
          dataTransfer.setDragImage(entry, clientX - left, clientY - top);
        }
        setDragged(index);
      },
      onDragEnd: end,
    }),
    propsOfTarget: (index: number) => ({
      'data-dragged': dragged === index || undefined,
      'data-edge': target?.index === index ? target.edge : undefined,
      onDragOver: (event: DragEvent) => {
        if (dragged === null) return;
        event.preventDefault();
        const { top, height } = event.currentTarget.getBoundingClientRect();
        setTarget({ index, edge: event.clientY < top + height / 2 ? 'before' : 'after' });
      },
      onDragLeave: (event: DragEvent) => {
        if (hasLeft(event)) setTarget(null);
      },
      onDrop: (event: DragEvent) => {
        if (dragged === null || target === null) return;
        event.preventDefault();
        const gap = target.index + (target.edge === 'after' ? 1 : 0);
        const to = gap > dragged ? gap - 1 : gap;
        if (to !== dragged) move(dragged, to);
        end();
      },
    }),
  };
}
