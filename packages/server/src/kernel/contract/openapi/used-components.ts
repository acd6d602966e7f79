/** Removes the components that nothing in a document refers to. */

type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The components that the users refer to, directly or through others, in the order in which they are defined. */
export function keepUsed(components: Components, users: unknown): Components {
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key !== '$ref') visit(inner);
      else if (typeof inner === 'string' && !used.has(inner)) {
        used.add(inner);
        const [kind = '', name = ''] = inner.replace('#/components/', '').split('/');
        const target = components[kind]?.[name];
        if (target === undefined) throw new Error(`nothing is defined at ${inner}`);
        visit(target);
      }
    }
  };
  visit(users);
  const kept = Object.entries(components).map(([kind, members]) => [
    kind,
    Object.fromEntries(Object.entries(members).filter(([name]) => used.has(`#/components/${kind}/${name}`))),
  ]);
  return Object.fromEntries(kept);
}
