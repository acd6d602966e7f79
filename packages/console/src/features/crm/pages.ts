/** What is loaded with the first page of a contact or company. */
export { CompanyPage } from './CompanyPage.tsx';
export { ContactPage } from './ContactPage.tsx';
export { ContactsOfDeleted } from './ContactsOfDeleted.tsx';
