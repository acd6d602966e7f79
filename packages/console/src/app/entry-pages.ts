/** The pages before the shell, which are loaded together: people come from one to the other. An invitation comes by its own link. */
export { ExternalPage } from '../features/sign-in/ExternalPage.tsx';
export { ForgotPage } from '../features/sign-in/ForgotPage.tsx';
export { LinkPage } from '../features/sign-in/LinkPage.tsx';
export { OrganizationPage } from '../features/sign-in/OrganizationPage.tsx';
export { OtherUserPage } from '../features/sign-in/OtherUserPage.tsx';
export { ResetPage } from '../features/sign-in/ResetPage.tsx';
export { SignInAgain } from '../features/sign-in/SignInAgain.tsx';
export { SignInPage } from '../features/sign-in/SignInPage.tsx';
