/** What people come to from the sign-in: the shell and its first page, which are loaded together. */
export { HomePage } from '../features/home/HomePage.tsx';
export { Shell } from '../shell/Shell.tsx';
