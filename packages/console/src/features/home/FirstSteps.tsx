/** What to do in an organization that has no site yet. */
import { Link } from '@tanstack/react-router';
import { resourceByName } from '../../resources/declared.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useFeatureText } from '../../text/feature.ts';
import shared from '../../ui/shared.module.css';
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
    <section className={shared.stack} aria-label={featureText('startTitle')}>
      <h3 className={shared.subtitle}>{featureText('startTitle')}</h3>
      <ol className={`${shared.list} ${styles.steps}`}>
        {steps.map(({ title, about, href, resource }) => {
          const refused = refusal(resourceByName(resource), 'create');
          return (
            <li key={title} className={`${shared.box} ${styles.step}`}>
              {refused === null ? (
                <Link
                  to={href as string}
                  className={`${shared.name} ${shared.cut} ${shared.cover} ${styles.link}`}
                >
                  {featureText(title)}
                </Link>
              ) : (
                <span className={`${shared.name} ${shared.cut} ${shared.cover} ${styles.link}`}>
                  {featureText(title)}
                </span>
              )}
              <span className={shared.small}>{refused ?? featureText(about)}</span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
