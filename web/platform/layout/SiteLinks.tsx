import { Link } from 'react-router'
import * as paths from '../paths.ts'
import { useSession } from '../session/store.ts'
import { Row } from '../ui/layout.tsx'
import './site-links.css'

/** The links of `OPERATOR_LINKS`, which the server writes into the page. */
function readOperatorLinks(): { name: string; address: string }[] {
  return JSON.parse(document.querySelector<HTMLMetaElement>('meta[name="operator-links"]')?.content || '[]')
}

/** Links to the rules of this site and to the operator's pages. Emails end with the same links. */
export function SiteLinks(link: { target?: '_blank' }) {
  const isSuspended = useSession((state) => Boolean(state.user?.suspension))
  const pages = [
    { name: 'Guidelines', address: paths.rules() },
    ...(isSuspended ? [] : [{ name: 'Moderation log', address: paths.decisions() }]),
    { name: 'What “anonymous” means', address: paths.anonymity() },
    { name: 'Copyright', address: paths.copyright() },
  ]
  return (
    <Row as="ul" justify="center" gap={[0, 1.5]}>
      {pages.map(({ name, address }) => (
        <li key={address}>
          <Link to={address} className="site-links-link" {...link}>
            <span className="link">{name}</span>
          </Link>
        </li>
      ))}
      {readOperatorLinks().map(({ name, address }) => (
        <li key={name}>
          <a href={address} className="site-links-link" {...link}>
            <span className="link">{name}</span>
          </a>
        </li>
      ))}
    </Row>
  )
}
