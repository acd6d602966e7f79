/** What is said before files are deleted, and before records with pictures are published. */
export { BeforePublication } from './pictures/BeforePublication.tsx';
export { UsesOfDeleted } from './UsesOfDeleted.tsx';
