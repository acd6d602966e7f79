/** Shown until the first page is there. It is what `index.html` has shown before the scripts, with its styles, so that nothing moves. */
export function Starting() {
  return (
    <main className="starting" aria-busy="true">
      <h1>Trellis</h1>
      <div />
    </main>
  );
}
