/** What to do in an organization that has no site yet. */
import { Link } from '@tanstack/react-router';
import { resourceByName } from '../../resources/declared.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useFeatureText } from '../../text/feature.ts';
import styles from './HomePage.module.css';
import { texts } from './texts.ts';

const steps = [
  { title: 'startSite', about: 'startSiteAbout', href: '/sites/new', resource: 'sites' },
  { title: 'startArticle', about: 'startArticleAbout', href: '/sites/-/articles/new', resource: 'articles' },
  { title: 'startToken', about: 'startTokenAbout', href: '/tokens/new', resource: 'tokens' },
] as const;

export function FirstSteps() {
  const featureText = useFeatureText(texts);
  const refusal = useRefusal();
  return (
    <section className={styles.section} aria-label={featureText('startTitle')}>
      <h3 className={styles.sectionTitle}>{featureText('startTitle')}</h3>
      <ol className={styles.steps}>
        {steps.map(({ title, about, href, resource }) => {
          const refused = refusal(resourceByName(resource), 'create');
          return (
            <li key={title} className={styles.step}>
              {refused === null ? (
                <Link to={href as string} className={styles.link}>
                  {featureText(title)}
                </Link>
              ) : (
                <span className={styles.link}>{featureText(title)}</span>
              )}
              <span className={styles.detail}>{refused ?? featureText(about)}</span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
